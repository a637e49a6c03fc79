import Engine
import Record
import TaskModel
import Wire
import Workers

/// A worker in the host: its process, its channel, its group, and its reports.
final class WorkerRecord {
    let handle: WorkerHandle
    let application: ApplicationIndex
    /// The version of the application that it was launched with: it identifies tasks by their places in it.
    let form: InstalledApplication
    let channel: WorkerChannel
    let group: ControlGroup
    let launched: Instant
    let zygote: ZygoteFlavor
    /// nil until the zygote has reported it.
    var pid: Int32?
    /// Its first process has ended, or never started.
    var isGone = false
    /// Its tree is frozen, or about to be: less important frames wait until it continues.
    var isFrozen = false
    /// Its zygote was lost, and its end is not processed yet: later events belong to that.
    var isLost = false
    /// The user has quit its application: it receives nothing more about background sessions.
    var isQuit = false
    /// It has a fault from its launch on, by the user's wish: it serves no further runs.
    var hasFault = false
    /// It is to be killed in this turn or the next.
    var isMarkedForKill = false
    /// How often its launch was looked at and went on slowly.
    var looks = 0
    /// The host has begun to kill its tree.
    var hasBeenKilled = false
    /// Its tree is empty, as the engine knows.
    var hasTreeExited = false
    /// The row with the confinement of its runs.
    var setup: Int64?
    /// Of a host with a virtual clock.
    var load: CPULoad?
    /// The turn in which its usage was read last.
    var meteredTurn: UInt64 = 0
    /// The run that started last gets the process's output.
    var printing: OutputTarget?
    /// Its output before its first run, such as skipped grants, or why its launch fails: for the runs that wait for it.
    var early = EarlyOutput()
    /// Its tree ran out of memory, and no process was found killed for it yet.
    var ranOutOfMemory = false
    /// Its application's own folders.
    let folders: [String]
    var degraded: [String]
    /// Notes for the user in each of its runs.
    var notes: [String] = []
    var endedRuns = EndedRuns()
    /// Its unanswered requests, including those whose answer is not written yet.
    var openCalls = 0
    /// Answers that are not written yet, oldest first, by the number of their last frame.
    private var unwrittenAnswers: [UInt64] = []
    /// How many states of its application it received, and the last of them that it returned from.
    private var statesTold: UInt32 = 0
    private var statesReturned: UInt32 = 0
    /// Its open assertions, oldest first; their numbers grow.
    private(set) var assertions: [HeldAssertion] = []
    private var lastAssertion: UInt64 = 0
    /// Its last answer about the resources of its code.
    var count: WorkerCount?
    /// Its report of its crash; true only if it ends so.
    var crash: CrashReport?
    /// How many journal entries of each kind it caused, listed or not.
    var told: [JournalKind: Int] = [:]
    /// The journal says why it is not called for the fetches that it requested.
    var wasToldOfFetch = false
    var stage = Stage.born
    var budget = WireBudget()
    /// Bytes that it prints.
    var printBudget = RateBucket(price: WireBudget.bytePrice)
    /// It exceeded its budget: until then its wire, and its pipes, are not read.
    var wireQuiet: Instant?
    var logQuiet: Instant?
    /// The host has it on its list of those.
    var isQuiet = false
    /// It does not read replies: its wire is not read until it does.
    var isBackedUp = false

    /// A worker's progress by its own reports. Each step is reported once.
    enum Stage {
        /// No report yet: the first one comes from the worker's own code.
        case born
        /// It reported its confinement. From now on anything may come from the plugin.
        case confined
        case ready
        /// It cannot serve.
        case refused
        /// It broke the protocol: it is not read any more.
        case broken
    }

    init(
        handle: WorkerHandle, application: ApplicationIndex, form: InstalledApplication, channel: WorkerChannel,
        group: ControlGroup,
        zygote: ZygoteFlavor,
        launched: Instant, folders: [String], degraded: [String]
    ) {
        self.handle = handle
        self.application = application
        self.form = form
        self.channel = channel
        self.group = group
        self.zygote = zygote
        self.launched = launched
        self.folders = folders
        self.degraded = degraded
    }

    /// Its wire is not read at present.
    var isLeftAlone: Bool { wireQuiet != nil || isBackedUp }

    /// Counts a request as answered once the frames gathered so far are written.
    func answerIsGathered() { unwrittenAnswers.append(channel.gathered) }

    /// Closes the requests whose answers are written by now.
    func settleCalls() {
        guard !unwrittenAnswers.isEmpty else { return }
        let count = unwrittenAnswers.prefix { $0 <= channel.written }.count
        unwrittenAnswers.removeFirst(count)
        openCalls -= count
    }

    /// It has not returned yet from a state that it was told.
    var owesReturn: Bool { form.library?.isApplication == true && statesReturned < statesTold && !isGone && !isFrozen }

    /// It is being launched, or has ended in part.
    var isComingOrGoing: Bool { isGone ? !hasTreeExited : stage == .born || stage == .confined }

    /// The number of the next state for it.
    func nextState() -> UInt32 {
        statesTold += 1
        return statesTold
    }

    /// It has returned from that state, and from all before it: once, and only for one that was sent.
    func takeReturn(of state: UInt32) throws(WireError) {
        guard state > statesReturned, state <= statesTold else { throw .badValue }
        statesReturned = state
    }

    /// It has begun one more, with a number above all before.
    func hold(_ assertion: HeldAssertion) throws(WireError) {
        guard assertion.said.id > lastAssertion, assertions.count < ServiceLimits.assertions else { throw .badValue }
        lastAssertion = assertion.said.id
        assertions.append(assertion)
    }

    /// It has ended one of its assertions.
    func letGo(of id: UInt64) throws(WireError) {
        guard let place = assertions.firstIndex(where: { $0.said.id == id }) else { throw .badValue }
        assertions.remove(at: place)
    }

    func key(_ kind: SourceKey.Kind) -> UInt64 {
        SourceKey(kind, index: handle.index, generation: handle.generation).bits
    }
}

/// Which prepared process a worker is forked from.
enum ZygoteFlavor: UInt32, CaseIterable {
    case plain = 0
    /// With Foundation loaded: eight times faster for libraries that need it, heavier for those that do not.
    case foundation = 1
}

/// Where a worker's output goes, and how much of it was kept.
struct OutputTarget {
    var run: RunHandle
    var id: ULID
    /// Bytes of it that were kept.
    var kept: Int
    /// The last of them does not end a line.
    var isMidLine = false
    /// The runs that may have printed the next output, according to its log.
    var others: [RunHandle] = []
}

/// What a worker does, for metrics.
enum WorkerState: String, CaseIterable {
    case launching, busy, idle, suspended, leaving
}

extension WorkerRecord {
    /// - Parameter isBusy: it has a run.
    func state(isBusy: Bool) -> WorkerState {
        if isGone { return .leaving }
        if isFrozen { return .suspended }
        return setup == nil ? .launching : isBusy ? .busy : .idle
    }
}
