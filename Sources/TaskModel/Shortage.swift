/// The resource that the host or the machine lacked for a launch. Not the application's fault: its run is tried again.
package enum Shortage: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// Open files of the host, of the process that workers are forked from, or of the machine.
    case descriptors = 1
    case memory = 2
    /// The kernel makes no more processes here.
    case processes = 3
    /// The process that workers are forked from ended.
    case zygote = 4
    /// The worker waited for a processor or a disk for most of its launch.
    case time = 5
    /// Something else of the host's: a folder that cannot be made, a program that cannot be started.
    case host = 6

    /// What would do, after "waits for".
    package var wanted: String {
        switch self {
        case .descriptors: "free file descriptors"
        case .memory: "free memory"
        case .processes: "room for another process"
        case .zygote: "the process that workers are forked from"
        case .time: "a free processor and disk"
        case .host: "what the host needs for a launch"
        }
    }
}

/// How often in a row a launch failed for lack of a resource, and the pause before the next try.
package struct ShortageTally: Sendable, BitwiseCopyable, Equatable {
    /// After this many failures for one cause within `window` the shortage counts as lasting.
    package static let mostReturns: UInt32 = 10
    private static let window = TimeSpan.seconds(3600)
    /// The first pause; it doubles with every return.
    private static let shortest = TimeSpan.seconds(1)
    /// The pause of a lasting shortage.
    private static let longest = TimeSpan.seconds(3600)

    /// Of the last return.
    package private(set) var cause: Shortage
    /// Returns for that cause, since the first of them or within the window.
    package private(set) var returns: UInt32 = 0
    /// Failures in a row, for any cause.
    private var row: UInt32 = 0
    private var since: Instant

    package init(_ cause: Shortage, at now: Instant) {
        self.cause = cause
        since = now
        add(cause, at: now)
    }

    package mutating func add(_ cause: Shortage, at now: Instant) {
        if cause != self.cause || now - since > Self.window && !isLasting {
            self.cause = cause
            returns = 0
            since = now
        }
        returns = returns == .max ? .max : returns + 1
        row = row == .max ? .max : row + 1
    }

    package var isLasting: Bool { returns >= Self.mostReturns }

    /// The pause before the next try.
    package var pause: TimeSpan {
        guard !isLasting else { return Self.longest }
        return TimeSpan(nanoseconds: Self.shortest.nanoseconds << Int64(min(row, Self.mostReturns) - 1))
    }
}
