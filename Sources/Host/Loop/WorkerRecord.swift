import Linux
import TaskModel
import Workers

/// A worker as the host holds it: its process, its channel, its group, and what it said of itself.
final class WorkerRecord {
    let handle: WorkerHandle
    let application: Int
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
    /// Nothing of its tree is left, which the engine has been told.
    var isEmptied = false
    /// The record has what its runs left behind.
    var hasToldLeftovers = false
    /// The row that tells what confinement its runs have.
    var setup: Int64?
    /// The turn in which its usage was read last.
    var meteredTurn: UInt64 = 0
    /// The run that started last gets what the process prints.
    var printing: OutputTarget?
    /// What it printed before its first run, such as which grants were left out: bounded, for that run.
    var early: [UInt8] = []
    static let mostEarly = 16 << 10
    /// Its tree ran out of memory, and nobody was seen killed for it yet.
    var ranOutOfMemory = false
    var degraded: [String]
    /// What a person should know of each of its runs.
    var notes: [String] = []
    var endedRuns = EndedRuns()
    /// Its questions that are not answered yet, and the misuses that it reported.
    var openTickets = 0
    var misuses = 0

    init(
        handle: WorkerHandle, application: Int, form: InstalledApplication, channel: WorkerChannel, group: ControlGroup,
        zygote: ZygoteFlavor,
        launched: Instant, degraded: [String]
    ) {
        self.handle = handle
        self.application = application
        self.form = form
        self.channel = channel
        self.group = group
        self.zygote = zygote
        self.launched = launched
        self.degraded = degraded
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
    var sequence: Int64
    /// Bytes of it that were kept.
    var kept: Int
}
