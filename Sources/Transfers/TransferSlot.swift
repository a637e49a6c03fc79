import TaskModel

/// A transfer in the policy, packed: there may be ten thousand of them.
struct TransferSlot: Sendable, BitwiseCopyable {
    /// Where it is kept until it can continue.
    enum Place: UInt8, Sendable, BitwiseCopyable {
        /// Nowhere: it is suspended, or its application is missing.
        case parked
        /// In the heap of dates.
        case dated
        /// In the heap of pauses; `list` says in which list too.
        case paused
        /// In the heap of those that wait for space.
        case cramped
        /// In a lane.
        case ready
        /// An attempt is in progress.
        case running
        /// Its body is complete and being synced: it no longer holds a connection.
        case saving
        /// Its application has to answer.
        case asking
        /// Its attempt has brought all of it; the host finds out whether there is room for it.
        case weighing
        /// It has an end, which the host is about to write.
        case ending
        case ended
    }

    struct Flags: OptionSet, Sendable, BitwiseCopyable {
        let rawValue: UInt16
        static let suspended = Flags(rawValue: 1)
        /// The user paused it.
        static let held = Flags(rawValue: 2)
        /// The host was asked to stop the attempt in progress.
        static let stopping = Flags(rawValue: 4)
        static let fromBackground = Flags(rawValue: 8)
        static let expensive = Flags(rawValue: 16)
        static let constrained = Flags(rawValue: 32)
        static let needsNetwork = Flags(rawValue: 64)
        /// It was asked whether it may begin, or has begun: its date counts no more.
        static let released = Flags(rawValue: 128)
        /// It was resumed once: the delay of its application has been applied.
        static let begun = Flags(rawValue: 256)
        /// Paused as the application's delay has it; it is in the application's list.
        static let delayed = Flags(rawValue: 512)
        /// Paused until the network comes back, or the pause is over; it is in the list of those.
        static let cutOff = Flags(rawValue: 1024)
        /// The disk was full when it wrote.
        static let foundFull = Flags(rawValue: 2048)
        /// The attempt in progress is stopped because it is slow, and others wait.
        static let yielding = Flags(rawValue: 4096)
        /// Paused after that; it is in the list of those.
        static let yielded = Flags(rawValue: 8192)
    }

    /// No time.
    static let none = Int64.min

    let session: SessionIndex
    let route: RouteIndex
    /// While it is ready.
    var lane = LaneIndex.first
    /// Priority and age: the least goes first.
    var rank: Int64
    /// Nanoseconds of the calendar, or `none`.
    var earliest: Int64
    /// The disk space that it still needs; -1: unknown.
    var need: Int64
    /// Bytes that it has.
    var received: Int64
    /// Its rate in bytes a second; 0: unlimited.
    var rate: Int64 = 0
    /// While it runs: since when its speed is measured, in nanoseconds of the monotonic clock, and what it had then.
    var since: Int64 = 0
    var mark: Int64 = 0
    /// Attempts that failed since one made headway.
    var failures: UInt16 = 0
    var flags: Flags
    var place = Place.parked
    let kind: TransferKind

    var isOpen: Bool { place < .ended }
    /// An attempt is in progress.
    var isUnderWay: Bool { place == .running || place == .saving }
    var reserve: Int64 { max(0, need) }
    /// It counts for its session's wake: it was resumed, and is not over.
    var isGoing: Bool { isOpen && !flags.contains(.suspended) }
    var asks: Bool { place == .asking && !flags.contains(.suspended) }
}

extension TransferSlot.Place: Comparable {
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A background session in the policy.
struct SessionSlot: Sendable, BitwiseCopyable {
    var options: NewSession
    var members = SlotList<TransferIndex>()
    /// Transfers that were resumed and are not over; that ask; that are over and untold.
    var going: UInt32 = 0
    var asking: UInt32 = 0
    var untold: UInt32 = 0
    /// A running process has its object.
    var isOpen = false
    /// Its application was woken for it, and has not called the completion handler.
    var awaitsHandling = false
    /// Its application has an answer of its own to delayed requests, as far as is known.
    var answersDelayed = true
    /// Something came that its application was not woken for.
    var hasNews = false
}

/// An application in the policy.
struct ApplicationStanding: Sendable, BitwiseCopyable {
    var standing = TransferStanding.notRunning
    var isMissing = false
    /// The user quit it: it is not launched for events until it is in the foreground again.
    var isQuit = false
    var sessions = SlotList<SessionIndex>()
    /// Transfers that its delay holds.
    var delayed = SlotList<TransferIndex>()
    /// The delay of transfers that it starts in the background, and when it is reset unless it is launched for events
    /// before.
    var delay = TimeSpan.zero
    var forgets = Instant(nanoseconds: 0)
    /// Not woken before: it did not handle its events when it was.
    var nextWake = Instant(nanoseconds: 0)
    /// Sessions for which it was woken and has not called the completion handler.
    var handling: UInt32 = 0
}
