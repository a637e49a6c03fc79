import Engine
import Linux
import Scheduling
import Record
import Setting
import TaskModel
import Wire
import Workers

/// Reads workers' output and frames, each in its turn. Thread: the loop's.
package final class Listener {
    let decider: Decider
    let keeper: RecordKeeper
    let installed: Installation
    let runs: RunTable
    let requests: Requests
    let announcer: Announcer
    let launcher: Launcher
    let table: WorkerTable
    let faults: Faults
    /// Handles workers' frames about background sessions.
    weak var transfers: BackgroundTransfers?
    /// Workers whose ends are processed in portions.
    var lost: [LostWorker] = []
    private let frames = FrameRoom()
    private var printed = [UInt8](repeating: 0, count: 64 << 10)

    /// Of the frames that are read at once, one that is no run's end came first: those behind it may have come after the turn's look
    /// at the pipes, and so may what was printed before them.
    var mayHavePrinted = false

    init(
        _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation, _ runs: RunTable, _ requests: Requests,
        _ announcer: Announcer, _ launcher: Launcher, _ table: WorkerTable,
        _ faults: Faults
    ) {
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.runs = runs
        self.requests = requests
        self.announcer = announcer
        self.launcher = launcher
        self.table = table
        self.faults = faults
        launcher.recorded?.refused = { [unowned self] in keep($1, ofProcess: $0) }
    }

    // MARK: Output

    func readLog(of key: SourceKey) {
        guard let record = table[key] else { return }
        drainLog(of: record, errors: key.kind == .errors)
        // It is read again when it may print more: until then the pipes fill, and the writer blocks.
        guard record.pace.printBudget.isOverdrawn(at: decider.now.instant), record.pace.logQuiet == nil else { return }
        record.pace.logQuiet = record.pace.printBudget.moment(of: printed.count)
        table.leaveLogAlone(record)
    }

    /// Reads what is in both of the worker's pipes.
    func drainLog(of record: WorkerRecord) {
        drainLog(of: record, errors: false)
        drainLog(of: record, errors: true)
    }

    /// Reads one of the worker's pipes: up to one buffer a turn, so that a flood delays no other.
    private func drainLog(of record: WorkerRecord, errors: Bool) {
        guard let count = record.channel.readLog(ofErrors: errors, into: &printed) else {
            table.closeLog(of: record, errors: errors)
            return
        }
        guard count > 0 else { return }
        record.pace.printBudget.take(count, at: decider.now.instant)
        keep(printed[..<count], LogMark(errors ? .stderr : .stdout, at: decider.now.time), of: record)
    }

    /// Printed bytes are those of the run that prints now; before the first one, they wait for it.
    private func keep(_ bytes: ArraySlice<UInt8>, _ mark: LogMark, of record: WorkerRecord) {
        guard var target = record.output.printing else {
            record.output.early.append(bytes, mark)
            return
        }
        if mark.stream == .stderr {
            record.output.hasErrors = true
            if record.isConfinedProgram { record.output.append(errors: bytes) }
        }
        markSharing(&target, of: record)
        keep(bytes, mark, of: &target)
        record.output.printing = target
    }

    /// Keeps a run's output, up to its limit.
    func keep(_ bytes: ArraySlice<UInt8>, _ mark: LogMark, of target: inout OutputTarget) {
        let room = max(0, runs.outputLimit - target.kept)
        let kept = bytes.prefix(room)
        target.kept += kept.count
        if let last = kept.last { target.isMidLine = last != 0x0A }
        runs.print(
            kept, mark, dropped: UInt64(bytes.count - kept.count), of: target.run, target.id,
            isAlive: decider.knows(target.run))
    }

    /// Output of the worker from now on belongs to that run: with several runs its origin is unknown.
    func print(_ run: RunHandle, on record: WorkerRecord) {
        if let last = record.output.printing, decider.knows(last.run) {
            runs[last.run].printed = last.kept
            runs[last.run].isMidLine = last.isMidLine
        }
        guard let id = decider.id(of: run) else { return }
        record.output.printing = OutputTarget(
            run: run, id: id, kept: runs[run].printed, isMidLine: runs[run].isMidLine)
        if !record.output.early.isEmpty { giveEarlyOutput(of: record, to: [run]) }
    }

    /// The run is done: output of its worker from now on belongs to the newest run in progress there.
    func passOutput(of run: RunHandle) {
        guard let worker = runs[run].worker, let record = table[worker], record.output.printing?.run == run
        else { return }
        let others = decider.runs(of: worker).filter { $0 != run && decider.run($0)?.started != nil }
        let newest = others.max { (decider.run($0)?.sequence ?? 0) < (decider.run($1)?.sequence ?? 0) }
        if let newest { print(newest, on: record) }
    }

    // MARK: Wires

    /// How many frames are read after a worker's end: more of the smallest than fit in a socket's buffer of the size that
    /// the host requests (2 MiB, of which the kernel charges 768 bytes for each).
    private static let lastBatches = 48

    func serveWire(of key: SourceKey, _ source: ReadySource) {
        guard let record = table[key] else { return }
        if source.isWritable { table.talk(record) }
        guard source.isReadable else { return }
        guard !record.pace.isLeftAlone else {
            // Only the end of the other side is still reported: there is no writer any more.
            takeLastFrames(of: record)
            return hangUp(record)
        }
        switch receive(from: record) {
        case .done, .full: judge(record)
        case .closed: hangUp(record)
        case .broken: table.giveUp(record, "the process sent an invalid frame and was killed")
        }
    }

    private func receive(from record: WorkerRecord) -> WorkerChannel.Flow {
        mayHavePrinted = false
        return record.channel.receive(into: frames) { header, frame in (try? take(header, &frame, from: record)) != nil
        }
    }

    /// Frames from before the end count: a handler may complete and exit at once. Call it when there is no writer any more.
    func takeLastFrames(of record: WorkerRecord) {
        table.closeWire(of: record)
        guard record.stage != .broken else { return }
        for _ in 0..<Self.lastBatches {
            let flow = receive(from: record)
            if flow == .broken { record.stage = .broken }
            guard flow == .full else { return }
        }
    }

    /// As its end does; the exit report says more. A worker that continues without its wire is killed soon.
    private func hangUp(_ record: WorkerRecord) {
        table.closeWire(of: record)
        if record.ending.isLost { return }
        decider.hear(record.isUnused ? .stale(record.handle) : .disconnected(record.handle))
    }

    // MARK: Frames that a worker may send

    /// A worker's own code reports its confinement before it maps the plugin's, and each step of its launch once.
    func advance(_ record: WorkerRecord, by kind: FrameKind) throws(WireError) {
        switch (record.stage, kind) {
        case (.born, .confined): record.stage = .confined
        case (.confined, .ready): record.stage = .ready
        case (.born, .refused), (.confined, .refused): record.stage = .refused
        // The process beside it hears of the worker's own calls as well.
        case (.born, .denied): break
        case (.born, _), (_, .confined), (_, .ready), (_, .refused), (.broken, _): throw .badValue
        case (.confined, _), (.ready, _), (.refused, _): break
        }
    }

    /// Charges a frame to its worker.
    func charge(_ record: WorkerRecord, _ kind: FrameKind, _ run: RunHandle, bytes: Int) {
        let price: WireBudget.Price
        var subject: RunHandle?
        switch kind {
        case .confined, .ready, .refused: price = .free
        case .completed, .unreported, .declined:
            // One for each run; for any other run it is one too many.
            price = decider.isActive(run, of: record.handle) ? .free : .dear
        case .createTransfer, .changeTransfer, .acknowledgeTransfer, .sessionHandled: price = .plain
        case .openSession: price = .question
        case .log, .title, .assertionBegan, .assertionEnded, .returned: price = .plain
        case .progress, .diagnostic:
            price = .dear
            subject = table.owns(run, record) ? run : nil
        case .submitRequest, .cancelRequests, .pendingRequests: price = .question
        default: price = .dear
        }
        record.pace.budget.charge(price, bytes: bytes, about: subject, at: decider.now.instant)
    }

    /// Decides about its wire after a turn's reading.
    private func judge(_ record: WorkerRecord) {
        switch record.pace.budget.judge(at: decider.now.instant) {
        case .withinBudget: return
        case .late(let until):
            table.leaveWireAlone(record, until: until)
        case .flood(let flood): end(record, for: flood)
        }
    }

    private func end(_ record: WorkerRecord, for flood: WireBudget.Flood) {
        record.stage = .broken
        table.closeWire(of: record)
        let guilty = flood.run.map { [$0] } ?? decider.runs(of: record.handle)
        for run in guilty where table.owns(run, record) {
            runs[run].diagnostics.append(
                "flood: \(flood.frames) questions and reports in \(flood.span), where 250 submissions or other questions, or "
                    + "1,000 reports of progress or misuse, are the most a second; send them when something has changed"
            )
        }
        decider.hear(.flooded(record.handle, by: flood.run))
    }
}
