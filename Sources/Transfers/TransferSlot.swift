import TaskModel

/// A transfer that the policy knows, packed: there may be ten thousand of them.
struct TransferSlot: Sendable, BitwiseCopyable {
    /// Where it is kept until something lets it go on.
    enum Place: UInt8, Sendable, BitwiseCopyable {
        /// Nowhere: it is suspended, or its application is missing.
        case parked
        /// In the heap of dates.
        case dated
        /// In the heap of pauses; `list` says in which list as well.
        case paused
        /// In the heap of those that wait for space.
        case cramped
        /// In a lane.
        case ready
        /// An attempt goes on.
        case running
        /// Its body is whole, and on its way to the disk: it holds no connection any more.
        case saving
        /// Its application has to answer.
        case asking
        /// It has an end, which the host is about to write.
        case ending
        case ended
    }

    struct Flags: OptionSet, Sendable, BitwiseCopyable {
        let rawValue: UInt16
        static let suspended = Flags(rawValue: 1)
        /// A person paused it.
        static let held = Flags(rawValue: 2)
        /// The host was told to stop the attempt that goes on.
        static let stopping = Flags(rawValue: 4)
        static let fromBackground = Flags(rawValue: 8)
        static let expensive = Flags(rawValue: 16)
        static let constrained = Flags(rawValue: 32)
        static let needsNetwork = Flags(rawValue: 64)
        /// It was asked whether it may begin, or has begun: its date counts no more.
        static let released = Flags(rawValue: 128)
        /// It was resumed once: the delay of its application was looked at.
        static let begun = Flags(rawValue: 256)
        /// Paused as the application's delay has it; it is in the application's list.
        static let delayed = Flags(rawValue: 512)
        /// Paused until the network comes back, or the pause is over; it is in the list of those.
        static let cutOff = Flags(rawValue: 1024)
        /// The disk was full when it wrote.
        static let foundFull = Flags(rawValue: 2048)
    }

    /// Stands for no time.
    static let none = Int64.min

    let session: SessionIndex
    let route: RouteIndex
    /// While it is ready.
    var lane = LaneIndex.first
    /// Priority and age: the least goes first.
    var rank: Int64
    /// Nanoseconds of the calendar, or `none`.
    var earliest: Int64
    /// What it still needs of the disk; -1: nobody knows.
    var need: Int64
    /// Bytes that it has.
    var received: Int64
    /// What it was told to transfer a second; 0: as much as it can.
    var rate: Int64 = 0
    /// Attempts that failed since one made headway.
    var failures: UInt16 = 0
    var flags: Flags
    var place = Place.parked
    let kind: TransferKind

    var isOpen: Bool { place < .ended }
    /// An attempt goes on.
    var isUnderWay: Bool { place == .running || place == .saving }
    var reserve: Int64 { max(0, need) }
    /// It counts for its session's wake: it was resumed, and is not over.
    var isGoing: Bool { isOpen && !flags.contains(.suspended) }
    var asks: Bool { place == .asking && !flags.contains(.suspended) }
}

extension TransferSlot.Place: Comparable {
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A background session that the policy knows.
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
    /// Something came that its application was not woken for.
    var hasNews = false
}

/// An application, as far as its transfers go.
struct ApplicationStanding: Sendable, BitwiseCopyable {
    var standing = TransferStanding.notRunning
    var isMissing = false
    /// A person quit it: it is not woken until it is in front again.
    var isQuit = false
    var sessions = SlotList<SessionIndex>()
    /// Transfers that its delay holds back.
    var delayed = SlotList<TransferIndex>()
    /// The delay of what it starts in the background, and when that is forgotten unless it is woken before.
    var delay = TimeSpan.zero
    var forgets = Instant(nanoseconds: 0)
    /// Not woken before: it did not handle its events when it was.
    var nextWake = Instant(nanoseconds: 0)
    /// Sessions for which it was woken and has not called the completion handler.
    var handling: UInt32 = 0
}
