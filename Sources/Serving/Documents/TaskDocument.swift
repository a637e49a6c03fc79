import Control
package import JSON
package import TaskModel

/// A task in `list` and the control API.
package enum TaskDocument {
    /// A daemon's data in addition to the manifest.
    package struct Standing {
        var state: JSONOutput
        var request: JSONOutput
        /// One phrase; null: nothing is pending.
        var waiting: JSONOutput
        /// When it runs next at the earliest; null: when something happens, or never.
        var next: JSONOutput
        /// The user's settings for its application.
        var forceQuit: JSONOutput
        var refreshDenied: JSONOutput

        init(
            state: ApplicationState, _ memory: ApplicationMemory, request: JSONOutput, waiting: String?,
            next: Timestamp?
        ) {
            self.state = .string(state.name)
            self.request = request
            self.waiting = JSONOutput(waiting)
            self.next = JSONOutput(next?.iso8601)
            forceQuit = .bool(memory.isForceQuit)
            refreshDenied = .bool(memory.isRefreshDenied)
        }

        /// From the document that a host gave.
        package init(_ document: JSONValue) {
            func value(_ key: String) -> JSONOutput { document[key].map { JSONOutput($0) } ?? .null }
            (state, request, waiting, next) = (value("state"), value("pending"), value("waiting"), value("next"))
            (forceQuit, refreshDenied) = (value("forceQuit"), value("refreshDenied"))
        }
    }

    package static func json(
        _ task: TaskDefinition, of application: ApplicationDefinition, standing: Standing?, last: RunRecord?,
        lastTermination: Termination?
    ) -> JSONOutput {
        let lastRun: JSONOutput = last.map(RunDocument.json) ?? .null
        let end: JSONOutput = lastTermination.map { TerminationDocument.json($0) } ?? .null
        return .object([
            "identifier": .string(task.identifier),
            "application": .string(application.identifier),
            "name": JSONOutput(application.name),
            "user": JSONOutput(application.user),
            "confinement": .string(application.confinement.rawValue),
            "kind": .string(task.kind.name),
            "priority": .string(task.priority.name),
            "state": standing?.state ?? .string(ApplicationState.notRunning.name),
            "budget": BudgetDocument.json(task.budget),
            "pending": standing?.request ?? .null,
            "waiting": standing?.waiting ?? .null,
            "next": standing?.next ?? .null,
            "lastRun": lastRun,
            "lastTermination": end,
            "forceQuit": standing?.forceQuit ?? .null,
            "refreshDenied": standing?.refreshDenied ?? .null,
        ])
    }
}
