import Engine
import Linux
import Record
import Setting
package import TaskModel
import Wire

/// The runs in progress: data that the engine does not need, output since the last commit, and their events. Thread: the
/// loop's.
package final class RunTable {
    /// By the engine's index.
    private var contexts = Table<RunIndex, RunContext>()
    private var output = OutputBuffer()
    /// What runs have printed, where their tasks' `onOutput` gets that. Not in the contexts: most runs have none.
    var told: [RunHandle: OutputEnds] = [:]
    /// What came after its run's end, until the turn's record is written.
    private var lateNotes: [RecordWrite] = []
    package let counters = RunCounters()
    let explanations = Explanations()
    var usual = UsualTable()
    /// Sends traces; nil: that is off.
    package var telemetry: Telemetry?
    /// Watches the files that tasks wait for.
    package let files: TaskFiles
    let decider: Decider
    let keeper: RecordKeeper
    let installed: Installation
    package let announcer: Announcer
    /// Bytes that are kept of what one run prints.
    let outputLimit: Int
    /// The id of the newest run; nil: there was none. The next ones are above it.
    private var newest: ULID?
    private var random = RandomPool()

    init(
        _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation, _ files: TaskFiles,
        _ announcer: Announcer, outputLimit: Int
    ) {
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.announcer = announcer
        self.files = files
        self.outputLimit = outputLimit
        newest = keeper.lastRunAtOpening
    }

    /// What belongs to a run that the engine has not forgotten.
    package subscript(run: RunHandle) -> RunContext {
        // A call would copy the context.
        @inline(__always) get { contexts[run.slot] }
        @inline(__always) _modify { yield &contexts[run.slot] }
    }

    // MARK: Beginning

    /// Hands a run to the engine.
    func admit(
        _ task: TaskIndex, attempt: UInt32 = 1, launch: UInt32 = 0, requester: UInt32 = 0, isOnPower: Bool = false,
        context: RunContext
    ) -> RunHandle {
        let id = ULID(at: decider.now.time, random: { random.bits() }, after: newest)
        newest = id
        let submission = Submission(
            task: task, id: id, attempt: attempt,
            requester: requester, launch: launch, isOnPower: isOnPower, hasRequest: context.request != nil)
        let run = decider.admit(submission)
        while !contexts.contains(run.slot) { _ = contexts.append(RunContext()) }
        self[run] = context
        self[run].files = files.marks(of: task)
        announcer.audience?.runDidBegin(run)
        return run
    }

    // MARK: Looking

    package func identifier(of run: RunHandle) -> String? {
        decider.task(of: run).map { self[run].identifier ?? installed.tasks[$0].definition.identifier }
    }

    /// The run of that id, while it is not forgotten by the engine.
    package func run(withID id: ULID) -> RunHandle? {
        decider.activeRuns.first { decider.id(of: $0) == id }
    }

    /// The runs of that identifier in progress.
    package func active(of identifier: String) -> [RunHandle] {
        decider.activeRuns.filter {
            self.identifier(of: $0) == identifier && decider.run($0)?.isActive == true
        }
    }

    /// The runs of that application that the engine has not ended.
    func active(in application: ApplicationIndex) -> [RunHandle] {
        decider.activeRuns.filter { run in
            decider.task(of: run).map { decider.application(of: $0) == application } ?? false
        }
    }

    /// Numbers in the record of the concrete identifiers that runs have.
    var identities: some Sequence<Int64> { contexts.indices.lazy.compactMap { [contexts] in contexts[$0].identity } }

    /// A run's progress; nil when it has reported none and has no title.
    package func progress(of run: RunHandle) -> RunProgress? {
        let titles = titles(of: run)
        let report = contexts.contains(run.slot) ? self[run].progress : nil
        guard report != nil || titles != nil else { return nil }
        return RunProgress(report: report ?? ProgressReport(completed: 0, total: 0, text: ""), titles: titles)
    }

    /// The displayed texts of a continued-processing run.
    package func titles(of run: RunHandle) -> (title: String, subtitle: String)? {
        guard contexts.contains(run.slot), !self[run].title.isEmpty else { return nil }
        return (self[run].title, self[run].subtitle)
    }

    // MARK: Telling

    /// Adds the sentence to the run's diagnostics, once.
    func diagnose(_ sentence: String, _ run: RunHandle) {
        guard self[run].diagnostics.sentences.last != sentence else { return }
        self[run].diagnostics.append(sentence)
    }

    func progressed(_ run: RunHandle, of worker: WorkerHandle, _ report: ProgressReport) {
        self[run].progress = report
        if let telemetry, let id = decider.id(of: run) { telemetry.progressed(id, report) }
        decider.hear(.progressed(worker, run, completed: report.completed))
        self[run].observer?.run(run, didProgress: report)
        announcer.audience?.run(run, didProgress: report)
    }

    func setTitle(_ report: TitleReport, of run: RunHandle) {
        self[run].title = report.title
        self[run].subtitle = report.subtitle
        announcer.audience?.run(
            run, didProgress: self[run].progress ?? ProgressReport(completed: 0, total: 0, text: ""))
    }

    func didStart(_ run: RunHandle) {
        announcer.audience?.run(run, didStartAt: decider.now.time)
        if let due = self[run].due { counters.started(due, at: decider.now.time) }
        logStart(of: run)
    }

    func didExpire(_ run: RunHandle, because reason: Reason) { announcer.audience?.run(run, didExpire: reason) }

    /// A run without a request waits in the engine: its requester learns why.
    func tellWait(of run: RunHandle) {
        guard let slot = decider.run(run), slot.phase == .pending,
            let tally = decider.shortage(of: decider.application(of: slot.task))
        else { return }
        let pause = decider.holdEnd(of: decider.application(of: slot.task)) - decider.now.instant
        let wait = LaunchWait(shortage: tally.cause, returns: tally.returns, pause: pause)
        self[run].observer?.run(run, waits: wait)
        announcer.audience?.run(run, waits: wait)
    }

    // MARK: Output

    /// Output waits to be written for its own sake: how much was dropped waits until something else is, or nothing runs any more.
    private var isOutputDue: Bool { output.hasNews || (!output.parts.isEmpty && decider.runsInProgress == 0) }

    /// Keeps a run's output, up to its limit.
    ///
    /// - Parameter isAlive: the run is in progress, and its requester receives the output.
    func print(
        _ kept: ArraySlice<UInt8>, _ mark: LogMark, dropped: UInt64, of run: RunHandle, _ id: ULID, isAlive: Bool
    ) {
        output.append(kept, mark, dropped: dropped, to: id)
        guard isAlive, !kept.isEmpty else { return }
        if let task = decider.task(of: run), installed.tasks[task].definition.onOutput != nil {
            told[run, default: OutputEnds()].append(kept, mark)
        }
        if mark.stream == .stderr { self[run].wroteErrors = true }
        self[run].observer?.run(run, didPrint: kept)
        announcer.audience?.run(run, didPrint: kept, mark)
    }

    /// Counts bytes of the run's output that are not kept.
    func drop(_ count: Int, _ mark: LogMark, of run: ULID) { output.drop(count, mark, of: run) }

    private static let levels = ["debug", "info", "notice", "warning", "error"]

    func keepLogLine(_ level: UInt8, _ text: [UInt8], for run: RunHandle) {
        guard let id = decider.id(of: run) else { return }
        let word = Self.levels[min(Int(level), Self.levels.count - 1)]
        let room = max(0, outputLimit - self[run].logged)
        let mark = LogMark(.log, at: decider.now.time)
        guard text.count < room else {
            // Without examining it: most lines of a flood end here.
            return output.drop(word.utf8.count + text.count + 3, mark, of: id)
        }
        let line = Array("\(word): \(String(decoding: text, as: UTF8.self))\n".utf8)
        let kept = line.count <= room ? line.count : 0
        self[run].logged += kept
        print(line[..<kept], mark, dropped: UInt64(line.count - kept), of: run, id, isAlive: true)
    }

    // MARK: The turn's record

    /// A sentence about a run that has its outcome already.
    func noteLate(_ sentence: String, of id: ULID) {
        lateNotes.append(.lateDiagnostic(id, sentence.cut(toBytes: ServiceLimits.sentence)))
    }

    /// Something came up that belongs to the record, though nothing else does.
    var hasUnwritten: Bool { isOutputDue || !lateNotes.isEmpty }

    /// There is nothing to write about runs.
    var isEmpty: Bool { output.parts.isEmpty && lateNotes.isEmpty }

    /// Writes the turn's changes of runs, then late diagnostics, which may be about one of them, then output.
    func write(_ work: [Action]) {
        var hasWritten = false
        for case .write(let change) in work {
            write(change)
            hasWritten = true
        }
        for note in lateNotes { keeper.write(note) }
        lateNotes.removeAll(keepingCapacity: true)
        if isOutputDue || (hasWritten && !output.parts.isEmpty) { writeOutput() }
    }

    private func write(_ change: Action.Write) {
        switch change {
        case .insert(let run):
            guard let slot = decider.run(run) else { return }
            let waits = self[run].waits
            counters.began(slot.task, waits)
            let start = RunStart(
                id: slot.id, task: self[run].identity ?? installed.tasks[slot.task].row, attempt: slot.attempt,
                submittedAt: slot.submitted, startedAt: slot.started?.time,
                setup: slot.started == nil ? nil : self[run].setup, origin: self[run].origin,
                kind: installed.tasks[slot.task].definition.kind)
            keeper.write(.runBegan(start, waits: waits))
            if !self[run].payload.isEmpty || !self[run].settings.isEmpty {
                let inputs = RunInputs(payload: self[run].payload, settings: self[run].settings)
                keeper.write(.runInputs(slot.id, inputs))
            }
        case .markExpired(let run):
            guard let slot = decider.run(run), let expired = slot.expired, let reason = slot.reason,
                slot.phase != .ended
            else { return }
            counters.expired(reason)
            keeper.write(.runExpired(slot.id, at: expired, reason))
        case .finish(let run): writeEnd(of: run)
        case .pause(let run):
            guard let id = decider.id(of: run), self[run].pausedSince == nil else { return }
            self[run].pausedSince = decider.now
            keeper.write(.runPaused(id, at: decider.now.time))
        case .resume(let run):
            guard let id = decider.id(of: run) else { return }
            writeResumption(of: run, id)
        // `Terminations` writes it.
        case .terminated: return
        }
    }

    private func writeResumption(of run: RunHandle, _ id: ULID) {
        guard let since = self[run].pausedSince else { return }
        self[run].pausedSince = nil
        // By the calendar: the monotonic clock stops while the machine sleeps.
        let span = max(decider.now.time - since.time, decider.now.instant - since.instant)
        self[run].frozenTime = self[run].frozenTime + span
        keeper.write(.runResumed(id, at: decider.now.time))
    }

    private func writeEnd(of run: RunHandle) {
        guard let slot = decider.run(run), let outcome = slot.outcome, let ended = slot.ended else { return }
        // Killed while suspended.
        writeResumption(of: run, slot.id)
        var figures = slot.figures
        figures.frozenTime = self[run].frozenTime == .zero ? nil : self[run].frozenTime
        let end = RunEnd(
            id: slot.id, outcome: outcome, reason: slot.reason, startedAt: slot.started?.time,
            expiredAt: slot.expired, endedAt: ended, figures: figures, setup: self[run].setup)
        keeper.write(.runEnded(end, slot.events))
        if !self[run].marks.isEmpty { keeper.write(.runMarked(slot.id, self[run].marks)) }
        counters.ended(
            slot, outcome, of: installed.tasks[slot.task].definition.kind,
            within: installed.tasks[slot.task].definition.budget, for: self[run].origin,
            without: self[run].degraded, at: ended)
        logEnd(of: run, slot, outcome)
        if let shared = slot.sharedWith { self[run].diagnostics.append(sentence(of: shared)) }
        if !self[run].diagnostics.isEmpty {
            keeper.write(.diagnostics(slot.id, self[run].diagnostics.sentences))
        }
    }

    private func sentence(of shared: SharedDeadline) -> String {
        "until that run ended it had the deadline of \(installed.tasks[shared.task].definition.identifier) "
            + "(\(shared.id)), which the same launch delivered; a task with a budget of its own in the manifest shares none"
    }

    private func writeOutput() {
        for part in output.parts {
            keeper.write(.output(part.run, Array(output.bytes[part.range]), part.mark, dropped: part.dropped))
        }
        output.removeAll()
    }

    // MARK: The end

    /// Answers the run's requester, and releases the run.
    func reply(_ run: RunHandle) {
        guard let slot = decider.run(run) else { return }
        Failpoint.pass(.replyBefore)
        self[run].observer?.run(run, didEnd: slot)
        announcer.audience?.run(run, didEnd: slot)
        if let telemetry { telemetry.ended(slot, self[run]) }
        Failpoint.pass(.replyAfter)
        self[run] = RunContext()
        if !told.isEmpty { told[run] = nil }
        decider.release(run)
    }
}
