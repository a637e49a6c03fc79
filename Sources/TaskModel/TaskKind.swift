/// The kind of a task. The numbers are those of `TASKHOST_KIND_…` in taskhost.h.
package enum TaskKind: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case appRefresh = 1
    case processing = 2
    case continuedProcessing = 3
    case healthResearch = 4
    /// A fetch at an interval that an application requested; no manifest names it.
    case backgroundFetch = 5
    /// A remote notification for an application; no manifest names it.
    case remoteNotification = 6

    /// Those that a manifest may name. The host adds tasks of the others to applications.
    package static let declarable: [TaskKind] = [.appRefresh, .processing, .continuedProcessing, .healthResearch]

    /// A fetch or a remote notification: its handler is the application's event callback, and the host alone makes requests
    /// for it.
    package var isEvent: Bool { self == .backgroundFetch || self == .remoteNotification }

    /// The word among an application's background modes that its tasks need; nil: none.
    package var backgroundMode: String? { row.backgroundMode }
    /// What follows its application's identifier in that of an event's task; nil for other kinds.
    package var eventSuffix: String? { row.eventSuffix }
    /// The application's callback for runs of the kind; nil: it has a handler of its own.
    package var callback: ApplicationCallback? { row.callback }

    /// The derived operator is called through a table from other modules, on the path of every request.
    package static func == (left: TaskKind, right: TaskKind) -> Bool {
        left.rawValue == right.rawValue
    }
}

/// What everything else needs to know of a kind of task. A new kind is a case of `TaskKind` and a row here.
package struct TaskKindRow: Sendable {
    /// What it is for, for documents and the page.
    package let meaning: String
    var backgroundMode: String?
    var eventSuffix: String?
    var callback: ApplicationCallback?
}

extension TaskKind {
    /// Its row in the table.
    package var row: TaskKindRow {
        switch self {
        case .appRefresh:
            TaskKindRow(meaning: "a short refresh of an application's data", backgroundMode: "fetch")
        case .processing:
            TaskKindRow(meaning: "long work that waits for an idle machine", backgroundMode: "processing")
        case .continuedProcessing:
            TaskKindRow(meaning: "work that a person started in the foreground, and whose progress is shown")
        case .healthResearch: TaskKindRow(meaning: "long work of a health study that waits for an idle machine")
        case .backgroundFetch:
            TaskKindRow(
                meaning: "a fetch at the interval that an application asked for", backgroundMode: "fetch",
                eventSuffix: ":fetch", callback: .performFetch)
        case .remoteNotification:
            TaskKindRow(
                meaning: "a remote notification for an application", backgroundMode: "remote-notification",
                eventSuffix: ":push", callback: .didReceiveRemoteNotification)
        }
    }
}
