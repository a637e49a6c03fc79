package import JSON
package import TaskModel

/// A task as `list` and the control API tell of it.
package enum TaskDocument {
    /// What a serving host knows beside the manifest.
    package struct Standing {
        package var state: ApplicationState
        package var request: JSONOutput
        /// One phrase; nil: nothing is pending, or nothing holds it.
        package var waiting: String?
        /// When it runs next at the earliest; nil: when something happens, or never.
        package var next: Timestamp?

        package init(state: ApplicationState, request: JSONOutput, waiting: String?, next: Timestamp?) {
            self.state = state
            self.request = request
            self.waiting = waiting
            self.next = next
        }
    }

    package static func json(
        _ task: TaskDefinition, of application: ApplicationDefinition, standing: Standing?, last: RunRecord?
    ) -> JSONOutput {
        .object([
            "identifier": .string(task.identifier),
            "application": .string(application.identifier),
            "name": JSONOutput(application.name),
            "kind": .string(task.kind.name),
            "state": .string((standing?.state ?? .notRunning).name),
            "budget": .object([
                "wallClock": task.budget.wallClock == .unlimited ? .null : .double(task.budget.wallClock.seconds),
                "cpuTime": JSONOutput(task.budget.cpuTime?.seconds),
                "memory": JSONOutput(task.budget.memory.bytes as UInt64?),
                "grace": .double(task.budget.grace.seconds),
            ]),
            "pending": standing?.request ?? .null,
            "waiting": JSONOutput(standing?.waiting),
            "next": JSONOutput(standing?.next?.iso8601),
            "lastRun": last.map(RunDocument.json) ?? .null,
        ])
    }
}
