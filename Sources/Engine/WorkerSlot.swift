import TaskModel

/// A worker process as the engine sees it.
struct WorkerSlot: Sendable, BitwiseCopyable {
    enum Phase: UInt8, Sendable, BitwiseCopyable {
        case launching
        case ready
        /// It was asked to leave.
        case leaving
        /// Its tree is being killed, until nothing is left of it.
        case killing
        /// Nothing is left of it but what the host has to let go of.
        case gone
    }

    var phase = Phase.launching
    let application: ApplicationIndex
    /// Oldest first.
    var runs = SlotList<RunIndex>()
    /// When the last reading was taken or asked for; nil: never.
    var read: Instant?
    /// A reading was asked for before runs were started; theirs begin with it.
    var awaitsReading = false
    /// What the tree has used, at the last reading.
    var cpu = TimeSpan.zero
    var peak = ByteCount(bytes: 0)
    /// Looks at who was killed for want of memory that are still to come, each after twice the time of the one before.
    var memoryLooks: UInt8 = 0
    /// Its peak at the first reading: what it needs without having run anything.
    var memoryAtFirst: ByteCount?
    /// It takes no run until it is known what the runs before left in memory.
    var awaitsWeight = false
    /// What it had in memory without a run, if that was more than it may keep.
    var kept: ByteCount?
    /// The memory limit that is in force.
    var memoryLimit: ByteCount
    /// How it ended; nil while its first process lives.
    var exit: WorkerExit?
    /// Until when it may end by itself, for it can neither be told nor tell anything any more; nil: its wire is open.
    var disconnectedUntil: Instant?
    /// It was launched, or is awaited, without a run.
    var isAwaited = false
    /// Its application has a new form: it takes no more runs.
    var isOutdated = false
    /// How many states it was told, and the last of them whose callback has returned.
    var told: UInt32 = 0
    var returned: UInt32 = 0
    /// The first `background` whose callback has not returned, and the last one that it was told.
    var pendingBackground: BackgroundCall?
    var lastBackground: UInt32 = 0
    /// It was told, then, that its background sessions have events, and has not handled all.
    var handlesSessions = false
    var sessionsSince = Instant(nanoseconds: 0)
    /// Its tree stands still, or is about to.
    var stillness: Stillness?
    /// `beginBackgroundTask`s that have not ended.
    var assertions: UInt32 = 0
    /// Since when it has been in the background without runs: its background time counts from then. A run begins it anew
    /// unless an assertion was held all the while.
    var backgroundSince: Instant?
    /// Its assertions were told to end; held after this, it is killed.
    var assertionEnd: Instant?
    /// How long it has been without runs is looked at in steps.
    var idleStep = IdleStep.busy
    var idleSince = Instant(nanoseconds: 0)
    var cpuAtIdle = TimeSpan.zero

    init(application: ApplicationIndex, memoryLimit: ByteCount) {
        self.application = application
        self.memoryLimit = memoryLimit
    }

    /// `background` as it was told, and when.
    struct BackgroundCall: Sendable, BitwiseCopyable {
        var state: UInt32
        var since: Instant
    }

    /// A tree that was told to stand still. Its deadlines wait here, and move by the time for which it does.
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
