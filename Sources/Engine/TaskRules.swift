package import TaskModel

/// What the engine knows of a task: numbers only. Strings are interned when a manifest is loaded.
package struct TaskRules: Sendable, BitwiseCopyable {
    package var application: ApplicationIndex
    /// The largest span there is: no end.
    package var wallClock: TimeSpan
    package var grace: TimeSpan
    /// nil: the CPU monitor alone bounds it.
    package var cpuTime: TimeSpan?
    package var memory: ByteCount
    /// What the application's folders may hold.
    package var disk: ByteCount
    /// The CPU monitor applies: the task does not insist on external power.
    package var isMonitored: Bool
    /// Continued processing: it is expired after so long without progress. nil: progress does not matter.
    package var stall: TimeSpan?
    /// The application registers it in code, and the manifest says nothing of its time: its runs share the deadline of the
    /// launch that delivers them with others of that sort. The time of any other task is its own.
    package var sharesDeadline: Bool
    /// The callback of its application that a run is: a fetch, or a remote notification. nil: a task of its own.
    package var callback: ApplicationCallback?

    package init(
        application: ApplicationIndex, wallClock: TimeSpan, grace: TimeSpan, cpuTime: TimeSpan?, memory: ByteCount,
        disk: ByteCount = LimitsProfile.modern.disk, isMonitored: Bool, stall: TimeSpan? = nil,
        sharesDeadline: Bool = false, callback: ApplicationCallback? = nil
    ) {
        self.application = application
        self.wallClock = wallClock
        self.grace = grace
        self.cpuTime = cpuTime
        self.memory = memory
        self.disk = disk
        self.isMonitored = isMonitored
        self.stall = stall
        self.sharesDeadline = sharesDeadline
        self.callback = callback
    }

    static let none = TaskRules(
        application: .first, wallClock: .zero, grace: .zero, cpuTime: nil, memory: ByteCount(bytes: 0),
        isMonitored: false)
}

/// What the engine knows of an application.
package struct ApplicationRules: Sendable, BitwiseCopyable {
    /// A process of its own for every run.
    package var isolatesRuns: Bool
    /// Its library is an application (way 3 of taskhost.h): it hears of its states, answers for its callbacks, and is
    /// suspended when it has nothing to do. Any other library's process ends then.
    package var hasLifecycle: Bool

    package init(isolatesRuns: Bool, hasLifecycle: Bool = false) {
        self.isolatesRuns = isolatesRuns
        self.hasLifecycle = hasLifecycle
    }
}

/// The numbers that hold for the whole host.
package struct EngineLimits: Sendable {
    package var profile: LimitsProfile
    /// Runs that may be launching or running at once; the others wait in order of submission.
    package var concurrency: Int
    /// Cores that can burn CPU time at once; bounds how soon a CPU budget can be gone.
    package var cores: Int
    /// Memory is not bounded by the kernel and has to be looked at while runs go on.
    package var metersMemory: Bool
    /// Workers without runs that are kept in all; beyond, the least recently used one leaves.
    package var idleWorkers: Int
    /// Workers that may be being launched while another one is launched without a run, whose turn is after all runs'.
    package var launches: Int
    /// Free space of the file system below which it counts as nearly full; nil: the disk is not looked at.
    package var diskFloor: ByteCount?

    package init(
        profile: LimitsProfile, concurrency: Int, cores: Int, metersMemory: Bool, idleWorkers: Int = 64,
        launches: Int = 8, diskFloor: ByteCount? = nil
    ) {
        self.profile = profile
        self.concurrency = concurrency
        self.cores = cores
        self.metersMemory = metersMemory
        self.idleWorkers = idleWorkers
        self.launches = launches
        self.diskFloor = diskFloor
    }
}
