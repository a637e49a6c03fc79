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

    /// What follows its application's identifier in that of an event's task; nil for other kinds.
    package var eventSuffix: String? {
        switch self {
        case .backgroundFetch: ":fetch"
        case .remoteNotification: ":push"
        case .appRefresh, .processing, .continuedProcessing, .healthResearch: nil
        }
    }

    /// The derived operator is called through a table from other modules, on the path of every request.
    package static func == (left: TaskKind, right: TaskKind) -> Bool {
        left.rawValue == right.rawValue
    }

    /// The word among an application's background modes that its tasks need; nil: none.
    package var backgroundMode: String? {
        switch self {
        case .appRefresh, .backgroundFetch: "fetch"
        case .processing: "processing"
        case .remoteNotification: "remote-notification"
        case .continuedProcessing, .healthResearch: nil
        }
    }

    /// The application's callback for runs of the kind; nil: it has a handler of its own.
    package var callback: ApplicationCallback? {
        switch self {
        case .backgroundFetch: .performFetch
        case .remoteNotification: .didReceiveRemoteNotification
        case .appRefresh, .processing, .continuedProcessing, .healthResearch: nil
        }
    }
}
