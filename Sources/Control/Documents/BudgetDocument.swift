package import JSON
package import TaskModel

/// A budget in documents: seconds and bytes; `null` where there is no limit.
package enum BudgetDocument {
    package static func json(_ budget: Budget) -> JSONOutput {
        [
            "wallClock": budget.wallClock == .unlimited ? .null : .double(budget.wallClock.seconds),
            "cpuTime": JSONOutput(budget.cpuTime?.seconds),
            "memory": size(budget.memory), "disk": size(budget.disk), "grace": .double(budget.grace.seconds),
        ]
    }

    private static func size(_ limit: ByteCount) -> JSONOutput {
        limit < .unlimited ? JSONOutput(limit.bytes as UInt64?) : .null
    }
}
