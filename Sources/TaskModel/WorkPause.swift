/// Work that the user holds back: nothing of it starts by itself until he resumes it, or until its end has come.
package struct WorkPause: Sendable, BitwiseCopyable, Equatable {
    package var since: Timestamp
    /// nil: until it is resumed.
    package var until: Timestamp?

    package init(since: Timestamp, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }

    package func isOver(at time: Timestamp) -> Bool { until.map { $0 <= time } ?? false }
}

/// What a pause is for, by its name across restarts.
package enum PausedWork: Sendable, Hashable {
    /// All work of the host.
    case host
    case application(String)
    case task(String)

    /// The name; empty for the host.
    package var name: String {
        switch self {
        case .host: ""
        case .application(let name), .task(let name): name
        }
    }

    /// The kind of work, as the record keeps it.
    package var level: UInt8 {
        switch self {
        case .host: 1
        case .application: 2
        case .task: 3
        }
    }

    /// nil: no version has such a level.
    package init?(level: UInt8, name: String) {
        switch level {
        case 1: self = .host
        case 2: self = .application(name)
        case 3: self = .task(name)
        default: return nil
        }
    }
}
