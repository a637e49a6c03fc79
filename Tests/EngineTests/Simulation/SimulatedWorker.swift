import Engine
import TaskModel

/// A worker's process tree: what it does, and what the host and the engine know of it.
final class SimulatedWorker {
    let handle: WorkerHandle
    let application: ApplicationIndex
    /// When its launch began.
    private(set) var born: Instant

    // What the host has received or done.
    /// It was made ahead, and no run has taken it.
    private(set) var isSpare: Bool
    var isReady = false
    var isTerminated = false
    var wasRefused = false
    var wasViolated = false
    /// The host or the machine lost it; its library kept it from being ready.
    var wasLost = false
    var hung = false
    var lastKill: Instant?
    /// When the host learned that its end of the wire is closed.
    var disconnected: Instant?
    /// The kernel killed something in it for lack of memory, and the host knows.
    var isStarved = false
    /// The exit that was reported.
    var exit: WorkerExit?
    var wasEmptied = false
    /// The states that it received.
    var states: [ApplicationState] = []
    var assertions: UInt32 = 0
    /// The numbers of `background`s whose callbacks have not returned, as far as the host knows, and when each must have.
    var pending: [(state: UInt32, due: Instant)] = []
    /// How many states it received, and for how many of them its callbacks have returned.
    var told: UInt32 = 0
    var returned: UInt32 = 0
    /// The last state for which it said that its callback has returned, received or not.
    var lastSaid: UInt32 = 0
    /// When the callback under way, and those behind it, will have returned; or one of them blocks.
    var callbackEnd = Instant(nanoseconds: 0)
    var isBlocked = false
    /// When it must have handled the events of its sessions; nil: it handles none.
    var sessionsDue: Instant?
    /// Since when its tree is frozen, and what it would have done meanwhile.
    var frozenSince: Instant?
    var held: [Happening] = []
    var isSuspended = false
    /// When it last had a run or was in the foreground.
    var lastUse: Instant
    var wasWarned = false
    /// How many it held at the last warning, or fewer since.
    var warnedAssertions: UInt32 = 0
    /// Runs that were started in it and have not ended in the record, and how many were started in all.
    var runs: Set<RunHandle> = []
    var starts = 0

    // What is true.
    var isAlive = true
    /// How its first process ended, once it has.
    var death: WorkerExit?
    /// Processes beside the first one.
    var children = 0
    var isEmpty = false
    /// So many kills leave something behind.
    var killsSurvived = 0
    var killTime = TimeSpan.zero
    /// No longer answers, such as after SIGSTOP or without its wire.
    var isStuck = false
    /// Sent, and not read by the host yet.
    var sent: [Event] = []
    var limit: ByteCount
    /// The limit that was in force when its first process ended.
    var limitAtDeath: ByteCount?

    // Meters.
    private var cpu = TimeSpan.zero
    private var updated: Instant
    private static let ownMemory = 4 << 20 as UInt64
    private var memory = ownMemory
    /// What runs have left in it.
    private(set) var left = 0 as UInt64
    /// Highest memory that was looked at.
    private(set) var seenPeak = ByteCount(bytes: 0)
    /// What burns CPU time and eats memory: by run, and what lasts longer than the runs.
    var appetites: [RunHandle: Appetite] = [:]
    var idleRate = 0.0
    /// Highest memory since the run was started, by run.
    var peaks: [RunHandle: UInt64] = [:]
    private let cores: Double

    struct Appetite {
        /// Cores.
        var cpu = 0.0
        /// Bytes a second.
        var memory: UInt64 = 0
    }

    init(
        handle: WorkerHandle, application: ApplicationIndex, limit: ByteCount, cores: Int, isSpare: Bool,
        at now: Instant
    ) {
        self.handle = handle
        self.application = application
        self.limit = limit
        self.cores = Double(cores)
        self.isSpare = isSpare
        born = now
        lastUse = now
        updated = now
    }

    /// A run takes it.
    func adopt(at now: Instant) {
        isSpare = false
        born = now
        lastUse = now
    }

    /// Bytes a second that all runs in it eat.
    var memoryRate: UInt64 { appetites.values.reduce(0) { $0 + $1.memory } }

    /// Brings the meters up to date.
    func update(to now: Instant) {
        let passed = now - updated
        guard passed > .zero else { return }
        updated = now
        guard !isEmpty, frozenSince == nil else { return }
        let wanted = appetites.values.reduce(idleRate) { $0 + $1.cpu }
        cpu = cpu + TimeSpan(nanoseconds: Int64(Double(passed.nanoseconds) * min(wanted, cores)))
        memory += UInt64(Double(memoryRate) * passed.seconds)
        for run in peaks.keys { peaks[run] = max(peaks[run] ?? 0, memory) }
    }

    func cpuTime(at now: Instant) -> TimeSpan {
        update(to: now)
        return cpu
    }

    /// Looks at the memory, as a host does that has no kernel to bound it.
    func look(at now: Instant) -> ByteCount {
        update(to: now)
        seenPeak = max(seenPeak, ByteCount(bytes: memory))
        return seenPeak
    }

    func resetPeak(at now: Instant) {
        update(to: now)
        seenPeak = ByteCount(bytes: memory)
    }

    func isOverLimit(at now: Instant) -> Bool {
        update(to: now)
        return memory > limit.bytes
    }

    /// When the tree will be over its limit; nil when it is not growing.
    func timeOfLimit(from now: Instant) -> Instant? {
        update(to: now)
        let rate = memoryRate
        guard rate > 0 else { return nil }
        let room = limit.bytes > memory ? Double(limit.bytes - memory) : 0
        return now + TimeSpan(nanoseconds: Int64(room / Double(rate) * 1e9) + 1_000_000)
    }

    func begin(_ run: RunHandle, _ appetite: Appetite, at now: Instant) {
        update(to: now)
        appetites[run] = appetite
        peaks[run] = memory
    }

    /// The run's memory is freed when it ends, but for what it leaves; its CPU time is spent.
    func end(_ run: RunHandle, leaving bytes: UInt64, at now: Instant) {
        update(to: now)
        guard appetites.removeValue(forKey: run) != nil else { return }
        left += bytes
        memory += bytes
        // Its siblings live in the same memory.
        for run in peaks.keys { peaks[run] = max(peaks[run] ?? 0, memory) }
        if appetites.isEmpty { memory = Self.ownMemory + left }
    }

    /// What is in use now; the peak starts again from it.
    func weigh(at now: Instant) -> ByteCount {
        resetPeak(at: now)
        return seenPeak
    }
}
