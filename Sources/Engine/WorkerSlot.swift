import TaskModel

/// A worker process as the engine sees it.
struct WorkerSlot: Sendable, BitwiseCopyable {
    enum Phase: UInt8, Sendable, BitwiseCopyable {
        /// Forked and confined ahead of a run, without any code of its application.
        case spare
        case launching
        case ready
        /// It was asked to exit.
        case leaving
        /// Its tree is being killed, until it is empty.
        case killing
        /// Its tree is empty; the host has yet to release the slot.
        case gone
    }

    var phase = Phase.launching
    let application: ApplicationIndex
    /// Oldest first.
    var runs = SlotList<RunIndex>()
    /// When the last reading was taken or requested; nil: never.
    var read: Instant?
    /// A reading was requested before runs were started; their figures begin with it.
    var awaitsReading = false
    /// CPU time of the tree, at the last reading.
    var cpu = TimeSpan.zero
    var peak = ByteCount(bytes: 0)
    /// Remaining checks for processes killed for lack of memory, each after twice the previous pause.
    var memoryLooks: UInt8 = 0
    /// Its peak at the first reading: the memory that it needs without any run.
    var memoryAtFirst: ByteCount?
    /// It takes no run until the memory left by earlier runs is known.
    var awaitsWeight = false
    /// Its memory without a run, if that was more than it may keep.
    var kept: ByteCount?
    /// The memory limit that is in force.
    var memoryLimit: ByteCount
    /// How it ended; nil while its first process lives.
    var exit: WorkerExit?
    /// Until when it may exit by itself, because no frames can be exchanged any more; nil: its wire is open.
    var disconnectedUntil: Instant?
    /// It was launched, or is awaited, without a run.
    var isAwaited = false
    /// Its application has a new form: it takes no more runs.
    var isOutdated = false
    /// It is not kept without a run.
    var leavesWhenIdle = false
    /// How many states were sent, and the last of them whose callback has returned.
    var told: UInt32 = 0
    var returned: UInt32 = 0
    /// The first `background` whose callback has not returned, and the last one that was sent.
    var pendingBackground: BackgroundCall?
    var lastBackground: UInt32 = 0
    /// It was notified at this time of its background sessions' events, and has not handled all.
    var handlesSessions = false
    var sessionsSince = Instant(nanoseconds: 0)
    /// Its tree is frozen, or about to be.
    var stillness: Stillness?
    /// `beginBackgroundTask`s that have not ended.
    var assertions: UInt32 = 0
    /// Since when it has been in the background without runs: its background time counts from then. A run restarts it unless
    /// an assertion was held throughout.
    var backgroundSince: Instant?
    /// Its assertions have expired; if one is held after this time, it is killed.
    var assertionEnd: Instant?
    /// The steps of the check of a worker without runs.
    var idleStep = IdleStep.busy
    var idleSince = Instant(nanoseconds: 0)
    var cpuAtIdle = TimeSpan.zero

    init(application: ApplicationIndex, memoryLimit: ByteCount) {
        self.application = application
        self.memoryLimit = memoryLimit
    }

    /// The callback for `background`, and when it was called.
    struct BackgroundCall: Sendable, BitwiseCopyable {
        var state: UInt32
        var since: Instant
    }

    /// A tree that is frozen. Its deadlines wait here, and move by the time for which it is frozen.
    struct Stillness: Sendable, BitwiseCopyable {
        var since: Instant
        /// The machine sleeps; else its application is suspended.
        var isForSleep: Bool
        var deadline: Instant
        var watchdog: Instant
        var sessions: Instant
    }

    enum IdleStep: UInt8, Sendable, BitwiseCopyable {
        case busy
        /// In the foreground: nothing comes next.
        case kept
        /// It holds assertions; the end of its background time comes next.
        case held
        /// Just became idle; the sweep comes next.
        case settling
        /// Swept; the first reading of its CPU time comes next.
        case swept
        /// Read; the end of the watch comes next.
        case watched
        /// The watch is over; the second reading comes next.
        case weighed
        /// Nothing but the end of the idle span comes next.
        case resting
    }
}
