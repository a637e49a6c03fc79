/// The tasks that the host adds to an application: background fetch and remote notifications. The application's event
/// callback handles them. No manifest can name them: no identifier contains ":".
package enum EventTasks {
    /// Those of an application whose library exports `taskhost_application_v1`.
    package static func tasks(of definition: ApplicationDefinition, _ profile: LimitsProfile) -> [TaskDefinition] {
        kinds(of: definition).map { kind in
            let own = definition.tasks
            return TaskDefinition(
                identifier: identifier(kind, of: definition.identifier), kind: kind, handler: .event,
                budget: Budget(
                    wallClock: profile.wallClock(of: kind), cpuTime: nil,
                    memory: definition.largestMemory ?? Budget.defaultMemory,
                    disk: own.map(\.budget.disk).max() ?? profile.disk,
                    // Neither has an expiration handler.
                    grace: .zero))
        }
    }

    /// The kinds of events that its manifest allows. A task of the kind appRefresh replaces fetch.
    private static func kinds(of definition: ApplicationDefinition) -> [TaskKind] {
        let modes = definition.backgroundModes ?? []
        return [TaskKind.backgroundFetch, .remoteNotification].filter { kind in
            kind.backgroundMode.map(modes.contains) == true
                && (kind != .backgroundFetch || !definition.tasks.contains { $0.kind == .appRefresh })
        }
    }

    /// How each of these sentences begins.
    package static let lackBegins = "it asked for background fetch"

    /// Why an application that requests fetches gets none, and what to do; nil: it gets them.
    package static func lackOfFetch(_ definition: ApplicationDefinition) -> String? {
        if let task = definition.tasks.first(where: { $0.kind == .appRefresh }) {
            return
                lackBegins + ", which a task of the kind appRefresh switches off; \(task.identifier); submit "
                + "requests for that task, or take it out of the manifest"
        }
        guard definition.backgroundModes?.contains("fetch") != true else { return nil }
        return lackBegins + ", and its manifest does not have the mode; \(definition.identifier); add "
            + "\"fetch\" to \"backgroundModes\""
    }

    /// All that an application may have.
    package static func identifiers(of application: String) -> [String] {
        [TaskKind.backgroundFetch, .remoteNotification].map { identifier($0, of: application) }
    }

    /// `com.example.reader:fetch`, `com.example.reader:push`.
    package static func identifier(_ kind: TaskKind, of application: String) -> String {
        application + (kind.eventSuffix ?? "")
    }
}
