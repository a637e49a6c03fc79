import Engine
import Linux
import Record
import Setting
package import TaskModel
import Wire
package import Workers

/// A worker in the host: its process, its channel, its group, and its reports.
package final class WorkerRecord {
    package let handle: WorkerHandle
    package let application: ApplicationIndex
    /// The version of the application that it was launched with: it identifies tasks by their places in it.
    let form: InstalledApplication
    let channel: WorkerChannel
    package let group: ControlGroup
    var launched: Instant
    let zygote: ZygoteFlavor
    /// nil until the zygote has reported it.
    package var pid: Int32?
    /// Its first process has ended, or never started.
    package var isGone = false
    /// Its tree is frozen, or about to be: less important frames wait until it continues.
    var isFrozen = false
    /// The user has quit its application: it receives nothing more about background sessions.
    var isQuit = false
    /// Its code wants to know the machine's network.
    var watchesNetwork = false
    /// It has a fault from its launch on, by the user's wish: it serves no further runs.
    var hasFault = false
    /// Nothing is sent to it: it has a signal that ends it, or gets one as soon as its process is known.
    var isHeld = false
    /// The row with the confinement of its runs.
    var setup: Int64?
    /// Of a host with a virtual clock.
    var load: CPULoad?
    /// The turn in which its usage was read last.
    var meteredTurn: UInt64 = 0
    /// Its application's own folders.
    let folders: [String]
    var degraded: [String]
    /// It was launched before its run was there.
    let wasMadeAhead: Bool
    /// A process beside it is to be told of its calls.
    var isToBeExplained = false
    /// That process; nil: there is none.
    var explainer: Explainer?
    /// The frames that let it map its library; empty once they are sent.
    var tasks: [[UInt8]] = []
    /// Notes for the user in each of its runs.
    var notes: [String] = []
    /// Its last answer about the resources of its code.
    var count: WorkerCount?
    var stage = Stage.born
    var pace = ReadingPace()
    package var ending = WorkerEnding()
    var output = WorkerOutput()
    var calls = WorkerCalls()
    var lifecycle = WorkerLifecycle()
    /// What the journal says of it.
    var journal = WorkerJournal()

    /// A process that is told of the worker's calls.
    struct Explainer: ~Copyable {
        let pid: Int32
        /// Its number may be another's once it has ended.
        let handle: ProcessHandle
    }

    /// Whether that process of the tree is told of the worker's calls.
    func isExplainer(_ pid: Int32) -> Bool {
        guard explainer?.pid == pid else { return false }
        return explainer?.handle.hasEnded == false
    }

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
        launched: Instant, folders: [String], degraded: [String], wasMadeAhead: Bool
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
        self.wasMadeAhead = wasMadeAhead
    }

    /// Counts a request as answered once the frames gathered so far are written.
    func answerIsGathered() { calls.answered(with: channel.gathered) }

    /// Closes the requests whose answers are written by now.
    func settleCalls() { calls.settle(written: channel.written) }

    /// It has not returned yet from a state that it was told.
    var owesReturn: Bool { form.library?.isApplication == true && lifecycle.owesReturn && !isGone && !isFrozen }

    /// It was made ahead and waits for a run; no code of its application is in it.
    package var isSpare: Bool { !tasks.isEmpty }

    /// It was made ahead, and has not reported its confinement, as it does when a run has it: what becomes of it is no run's.
    var isUnused: Bool { wasMadeAhead && setup == nil }

    /// It is being launched, or has ended in part.
    var isComingOrGoing: Bool {
        isGone ? !ending.hasTreeExited : !isSpare && (stage == .born || stage == .confined)
    }

    /// It runs a program, with the confinement of its manifest.
    var isConfinedProgram: Bool { form.definition.confinement == .full && form.definition.runsPrograms }

    func key(_ kind: SourceKey.Kind) -> UInt64 {
        SourceKey(kind, index: handle.index, generation: handle.generation).bits
    }
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
package enum WorkerState: String, CaseIterable {
    case launching, spare, busy, idle, suspended, leaving
}

extension WorkerRecord {
    /// - Parameter isBusy: it has a run.
    func state(isBusy: Bool) -> WorkerState {
        if isGone { return .leaving }
        if isFrozen { return .suspended }
        if isSpare { return ending.isMarkedForKill || ending.hasBeenKilled ? .leaving : .spare }
        return setup == nil ? .launching : isBusy ? .busy : .idle
    }
}
