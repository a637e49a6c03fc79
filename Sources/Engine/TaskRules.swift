package import TaskModel

/// What the engine knows of a task: numbers only. Strings are interned when a manifest is loaded.
package struct TaskRules: Sendable, BitwiseCopyable {
    package var application: UInt32
    package var wallClock: TimeSpan
    package var grace: TimeSpan
    /// nil: the CPU monitor alone bounds it.
    package var cpuTime: TimeSpan?
    package var memory: ByteCount
    /// The CPU monitor applies: the task does not insist on external power.
    package var isMonitored: Bool

    package init(
        application: UInt32, wallClock: TimeSpan, grace: TimeSpan, cpuTime: TimeSpan?, memory: ByteCount,
        isMonitored: Bool
    ) {
        self.application = application
        self.wallClock = wallClock
        self.grace = grace
        self.cpuTime = cpuTime
        self.memory = memory
        self.isMonitored = isMonitored
    }
}

/// What the engine knows of an application, and the worker that serves it.
package struct ApplicationRules: Sendable, BitwiseCopyable {
    /// A process of its own for every run.
    package var isolatesRuns: Bool
    /// The worker that takes new runs; nil when there is none. Unused when runs are isolated.
    var worker: UInt32?

    package init(isolatesRuns: Bool) { self.isolatesRuns = isolatesRuns }
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

    package init(profile: LimitsProfile, concurrency: Int, cores: Int, metersMemory: Bool) {
        self.profile = profile
        self.concurrency = concurrency
        self.cores = cores
        self.metersMemory = metersMemory
    }
}
