import Engine
import Linux
import Record
import TaskModel
import Wire
import Workers

/// A worker as the host holds it: its process, its channel, its group, and what it said of itself.
final class WorkerRecord {
    let handle: WorkerHandle
    let application: ApplicationIndex
    /// The form of the application that it was launched with: it knows tasks by their places in it.
    let form: InstalledApplication
    let channel: WorkerChannel
    let group: ControlGroup
    let launched: Instant
    let zygote: ZygoteFlavor
    /// nil until the zygote has reported it.
    var pid: Int32?
    /// Its first process has ended, or never came to be.
    var isGone = false
    /// Its tree stands still, or is about to: what it need not hear is told when it goes on.
    var isFrozen = false
    /// Its zygote was lost, and its end is not taken yet: what is heard meanwhile is that.
    var isLost = false
    /// A person has quit its application: it hears nothing more of background sessions.
    var isQuit = false
    /// It is to be killed in this turn, or the next.
    var isMarkedForKill = false
    /// Nothing of its tree is left, which the engine has been told.
    var hasTreeExited = false
    /// The row that tells what confinement its runs have.
    var setup: Int64?
    /// The turn in which its usage was read last.
    var meteredTurn: UInt64 = 0
    /// The run that started last gets what the process prints.
    var printing: OutputTarget?
    /// What it printed before its first run, such as which grants were left out, or why its launch fails: for the runs
    /// that wait for it.
    var early = EarlyOutput()
    /// Its tree ran out of memory, and nobody was seen killed for it yet.
    var ranOutOfMemory = false
    /// Its application's own folders.
    let folders: [String]
    var degraded: [String]
    /// What a person should know of each of its runs.
    var notes: [String] = []
    var endedRuns = EndedRuns()
    /// Its questions that are not answered yet, those whose answer is not written yet included.
    var openCalls = 0
    /// Answers that are not written yet, oldest first, by the number of their last frame.
    private var unwrittenAnswers: [UInt64] = []
    /// How many states of its application it was told, and the last of them that it answered for.
    private var statesTold: UInt32 = 0
    private var statesReturned: UInt32 = 0
    /// What it has begun and not ended, oldest first; their numbers rise.
    private(set) var assertions: [HeldAssertion] = []
    private var lastAssertion: UInt64 = 0
    /// What it answered last when it was asked what its code holds.
    var count: WorkerCount?
    /// What it said of its end; true only if it ends so.
    var crash: CrashReport?
    /// How much of each kind it gave the journal to tell, listed or not.
    var told: [JournalKind: Int] = [:]
    /// Why it is not called for the fetches that it asked for stands in the journal.
    var wasToldOfFetch = false
    var stage = Stage.born
    var budget = WireBudget()
    /// Bytes that it prints.
    var printBudget = RateBucket(price: WireBudget.bytePrice)
    /// It said too much: until then its wire, and its log pipe, are left alone.
    var wireQuiet: Instant?
    var logQuiet: Instant?
    /// The host has it on its list of those.
    var isQuiet = false
    /// It does not read what it asked for: its wire is left alone until it has.
    var isBackedUp = false

    /// How far a worker has come by what it said of itself. Each step is said once.
    enum Stage {
        /// It has said nothing yet: whatever comes first is said by the worker's own code.
        case born
        /// It told its confinement. From now on anything may be the plugin's doing.
        case confined
        case ready
        /// It cannot serve.
        case refused
        /// It sent what no worker sends: it is heard no further.
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

    /// Counts a question as answered once what was gathered for it so far is written.
    func answerIsGathered() { unwrittenAnswers.append(channel.gathered) }

    /// Closes the questions whose answers are written by now.
    func settleCalls() {
        guard !unwrittenAnswers.isEmpty else { return }
        let count = unwrittenAnswers.prefix { $0 <= channel.written }.count
        unwrittenAnswers.removeFirst(count)
        openCalls -= count
    }

    /// The number of the next state that it is told.
    func nextState() -> UInt32 {
        statesTold += 1
        return statesTold
    }

    /// It answers for that state, and for all before it: once, and for one that it was told.
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

    /// It has ended one that it held.
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
    /// The runs that may have printed what comes now, as its log says.
    var others: [RunHandle] = []
}
