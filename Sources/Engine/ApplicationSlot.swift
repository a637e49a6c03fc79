import TaskModel

/// An application as the engine sees it: its worker, its state and the runs that wait.
struct ApplicationSlot: Sendable, BitwiseCopyable {
    /// Every run has its own process.
    let isolatesRuns: Bool
    /// That may be made ahead.
    var mayHaveSpare: Bool
    /// Its library is an application.
    var hasLifecycle: Bool
    /// The largest budget of its tasks.
    var memory = ByteCount(bytes: 0)
    /// The smallest one.
    var leastMemory = ByteCount(bytes: .max)
    /// The worker that takes new runs; nil when there is none. When runs are isolated, the one that was launched without.
    var worker: WorkerIndex?
    /// Its workers that are launching or ready.
    var living: UInt32 = 0
    /// The process that was made ahead for its next run.
    var spare: WorkerIndex?
    /// When its last run ended whose process it was, and whether the next one came while an idle worker would have been kept.
    var lastEnd: Instant?
    var followsSoon = false
    /// The user has it in the foreground.
    var isForeground = false
    /// It was in front when the machine went to sleep, or was opened while that slept.
    var returnsToFront = false
    /// Its next worker is launched without waiting for a run.
    var isAwaited = false
    /// Its background sessions have events that no worker has received.
    var awaitsSessions = false
    /// What its launches lacked, since the last that went well; and whether it waits before the next one.
    var tally: ShortageTally?
    var isHeld = false
    /// The last recorded state, and whether the host has yet to receive it.
    var state = ApplicationState.notRunning
    var isChanged = false
    /// Runs that wait for a place or for the next worker, first come first served.
    var waiting = SlotList<RunIndex>()

    /// The smallest disk budget of its tasks.
    var disk = ByteCount(bytes: .max)
    /// The last measured size of its folders, and the free space of the file system at that time; nil: never measured.
    var weight: ByteCount?
    var freeAtWeighing = ByteCount(bytes: 0)
    var isBeingWeighed = false
    /// Something was written since they began to be weighed: the result is old before it is there.
    var isWeighedAgain = false

    /// The limit of a worker that is launched without a run.
    var memoryWithoutRun: ByteCount { memory > ByteCount(bytes: 0) ? memory : Budget.defaultMemory }

    init(_ rules: ApplicationRules) {
        isolatesRuns = rules.isolatesRuns
        mayHaveSpare = rules.mayHaveSpare
        hasLifecycle = rules.hasLifecycle
    }
}
