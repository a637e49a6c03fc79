package import JSON
package import TaskModel

/// A budget in documents: seconds and bytes; `null` where there is no limit.
package enum BudgetDocument {
    package static func json(_ budget: Budget) -> JSONOutput {
        [
            "wallClock": budget.wallClock == .unlimited ? .null : .double(budget.wallClock.seconds),
            "cpuTime": JSONOutput(budget.cpuTime?.seconds),
            "memory": JSONOutput(budget.memory.bytes as UInt64?),
            "disk": JSONOutput(budget.disk.bytes as UInt64?),
            "grace": .double(budget.grace.seconds),
        ]
    }
}
