package import TaskModel

/// The engine's data about a task: numbers only. Strings are interned when a manifest is loaded.
package struct TaskRules: Sendable, BitwiseCopyable {
    package var application: ApplicationIndex
    /// The largest span there is: no end.
    package var wallClock: TimeSpan
    package var grace: TimeSpan
    /// nil: the CPU monitor alone bounds it.
    package var cpuTime: TimeSpan?
    package var memory: ByteCount
    /// The limit of the application's folders.
    package var disk: ByteCount
    /// The CPU monitor applies: the task does not insist on external power.
    package var isMonitored: Bool
    /// Continued processing: it is expired after so long without progress. nil: progress does not matter.
    package var stall: TimeSpan?
    /// The application registers it in code, and the manifest declares no time: its runs share the deadline of the launch
    /// that delivers them together. Any other task has its own deadline.
    package var sharesDeadline: Bool
    /// The callback of its application that the run is: a fetch, or a remote notification. nil: an ordinary task.
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

/// The engine's data about an application.
package struct ApplicationRules: Sendable, BitwiseCopyable {
    /// Every run has its own process.
    package var isolatesRuns: Bool
    /// Its library is an application (way 3 of taskhost.h): it receives its states, has to return from its callbacks,
    /// and is suspended when it has nothing to do. Any other library's process ends then.
    package var hasLifecycle: Bool

    /// A process may be made ahead for its next run, if each run has its own.
    package var mayHaveSpare: Bool

    package init(isolatesRuns: Bool, hasLifecycle: Bool = false, mayHaveSpare: Bool = false) {
        self.isolatesRuns = isolatesRuns
        self.hasLifecycle = hasLifecycle
        self.mayHaveSpare = mayHaveSpare
    }
}

/// The numbers that hold for the whole host.
package struct EngineLimits: Sendable {
    package var profile: LimitsProfile
    /// Runs that may be launching or running at once; the others wait in order of submission.
    package var concurrency: Int
    /// Cores that can use CPU time at the same time; bounds how soon a CPU budget can be used up.
    package var cores: Int
    /// The kernel does not limit memory, so it is read while runs are in progress.
    package var metersMemory: Bool
    /// How many workers without runs are kept; beyond that the least recently used one leaves.
    package var idleWorkers: Int
    /// How many launches may be in progress for one without a run to start, which comes after all runs.
    package var launches: Int
    /// How many processes are made ahead at most, each for the next run of one application.
    package var spares: Int
    /// Free space of the file system below which it counts as nearly full; nil: it is not measured.
    package var diskFloor: ByteCount?

    package init(
        profile: LimitsProfile, concurrency: Int, cores: Int, metersMemory: Bool, idleWorkers: Int = 64,
        launches: Int = 8, spares: Int = 8, diskFloor: ByteCount? = nil
    ) {
        self.profile = profile
        self.concurrency = concurrency
        self.cores = cores
        self.metersMemory = metersMemory
        self.idleWorkers = idleWorkers
        self.launches = launches
        self.spares = spares
        self.diskFloor = diskFloor
    }
}
