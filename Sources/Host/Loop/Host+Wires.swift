import Engine
import Linux
import TaskModel
import Wire
import Workers

// When workers are heard: each its turn, and who says too much later than the others.
extension Host {
    // MARK: Output

    func readLog(of key: SourceKey) {
        guard let record = worker(key) else { return }
        drainLog(of: record)
        // It is read again when it may print more: until then the pipe fills, and whoever prints waits.
        guard record.printBudget.isOverdrawn(at: now.instant), record.logQuiet == nil else { return }
        record.logQuiet = record.printBudget.moment(of: printed.count)
        poller.setReadable(record.channel.log, false, key: record.key(.log))
        leaveAlone(record, until: record.logQuiet)
    }

    /// Takes what the worker printed: up to one buffer a turn, so that a flood holds up nobody.
    func drainLog(of record: WorkerRecord) {
        guard let count = record.channel.readLog(into: printed) else {
            // Left in the poller, the closed pipe would be ready for ever.
            poller.remove(record.channel.log)
            return
        }
        guard count > 0 else { return }
        record.printBudget.take(count, at: now.instant)
        keep(UnsafeRawBufferPointer(rebasing: printed[0..<count]), of: record)
    }

    /// Printed bytes are those of the run that prints now; before the first one, they wait for it.
    func keep(_ bytes: UnsafeRawBufferPointer, of record: WorkerRecord) {
        guard var target = record.printing else {
            record.early.append(contentsOf: bytes.prefix(WorkerRecord.mostEarly - record.early.count))
            return
        }
        let room = max(0, configuration.outputLimit - target.kept)
        let kept = UnsafeRawBufferPointer(rebasing: bytes.prefix(room))
        target.kept += kept.count
        record.printing = target
        output.append(kept, dropped: UInt64(bytes.count - kept.count), to: target.sequence)
        if engine.run(target.run) != nil, !kept.isEmpty {
            extras[Int(target.run.index)].observer?.run(target.run, didPrint: kept, in: self)
            audience?.run(target.run, didPrint: kept, in: self)
        }
    }

    // MARK: Wires

    /// Most frames that are taken after a worker's end: more than a socket's buffer holds of the smallest, as large as the
    /// host asks for it (2 MiB, of which the kernel charges 768 bytes for each).
    private static let lastBatches = 48

    func serveWire(of key: SourceKey, _ source: ReadySource) {
        guard let record = worker(key) else { return }
        if source.isWritable { talking.append(record.handle) }
        guard source.isReadable else { return }
        guard !record.isLeftAlone else {
            // Only that the other side is closed is still reported: nobody can write any more.
            takeLastFrames(of: record)
            return hangUp(record)
        }
        switch receive(from: record) {
        case .done, .full: judge(record)
        case .closed: hangUp(record)
        case .broken: giveUp(record, "the process sent what no worker sends, and was killed for it")
        }
    }

    private func receive(from record: WorkerRecord) -> WorkerChannel.Flow {
        record.channel.receive(into: frames) { header, frame in
            (try? self.take(header, frame, from: record)) != nil
        }
    }

    /// Frames that were sent before the end count: a handler may complete and leave at once. Call when nobody can write any
    /// more.
    func takeLastFrames(of record: WorkerRecord) {
        poller.remove(record.channel.wire)
        guard record.stage != .broken else { return }
        for _ in 0..<Self.lastBatches {
            let flow = receive(from: record)
            if flow == .broken { record.stage = .broken }
            guard flow == .full else { return }
        }
    }

    /// As its end does; the exit report tells. A worker that lives on without its wire is killed soon.
    private func hangUp(_ record: WorkerRecord) {
        poller.remove(record.channel.wire)
        engine.handle(.disconnected(record.handle), at: now, into: &actions)
    }

    /// It is no honest worker: it is killed and heard no further, and its runs crashed.
    func giveUp(_ record: WorkerRecord, _ sentence: String) {
        guard record.stage != .broken else { return }
        record.stage = .broken
        poller.remove(record.channel.wire)
        for run in engine.runs(of: record.handle) { extras[Int(run.index)].diagnostics.append(sentence) }
        engine.handle(.violated(record.handle), at: now, into: &actions)
    }

    // MARK: What a worker may say

    /// A worker's own code says what its confinement is before it maps the plugin's, and each step of its launch once.
    func advance(_ record: WorkerRecord, by kind: FrameKind) throws(WireError) {
        switch (record.stage, kind) {
        case (.born, .confined): record.stage = .confined
        case (.confined, .ready): record.stage = .ready
        case (.born, .refused), (.confined, .refused): record.stage = .refused
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
            // One for each run; of any other run it says too much.
            price = engine.isActive(run, of: record.handle) ? .free : .dear
        case .log, .title, .assertions: price = .plain
        case .progress, .diagnostic:
            price = .dear
            subject = owns(run, record) ? run : nil
        case .submitRequest, .cancelRequests, .pendingRequests: price = .question
        default: price = .dear
        }
        record.budget.charge(price, bytes: bytes, about: subject, at: now.instant)
    }

    /// What becomes of its wire after a turn's reading.
    private func judge(_ record: WorkerRecord) {
        switch record.budget.judge(at: now.instant) {
        case .withinBudget: return
        case .late(let until):
            record.wireQuiet = until
            settleHearing(record)
            leaveAlone(record, until: until)
        case .flood(let flood): end(record, for: flood)
        }
    }

    private func end(_ record: WorkerRecord, for flood: WireBudget.Flood) {
        record.stage = .broken
        poller.remove(record.channel.wire)
        let runs = flood.run.map { [$0] } ?? engine.runs(of: record.handle)
        for run in runs where owns(run, record) {
            extras[Int(run.index)].diagnostics.append(
                "flood: \(flood.frames) questions and reports in \(flood.span), where 250 submissions or other questions, or "
                    + "1,000 reports of progress or misuse, are the most a second; send them when something has changed"
            )
        }
        engine.handle(.flooded(record.handle, by: flood.run), at: now, into: &actions)
    }

    // MARK: Later

    /// Its wire is read or not, as what it says and what it has not read allow.
    private func settleHearing(_ record: WorkerRecord) {
        poller.setReadable(record.channel.wire, !record.isLeftAlone, key: record.key(.wire))
    }

    private func leaveAlone(_ record: WorkerRecord, until: Instant?) {
        if !record.isQuiet { quiet.append(record.handle) }
        record.isQuiet = true
        quietEnd = min(quietEnd, until ?? .distantFuture)
    }

    /// Hears those again whose time has come. They are read in the next turn, after whoever waits already.
    func hearAgain() {
        guard quietEnd <= now.instant else { return }
        quietEnd = .distantFuture
        quiet.removeAll { handle in
            guard let record = worker(handle) else { return true }
            if let end = record.wireQuiet, end <= now.instant {
                record.wireQuiet = nil
                settleHearing(record)
            }
            if let end = record.logQuiet, end <= now.instant {
                record.logQuiet = nil
                poller.setReadable(record.channel.log, true, key: record.key(.log))
            }
            let next = [record.wireQuiet, record.logQuiet].compactMap { $0 }.min()
            if let next { quietEnd = min(quietEnd, next) }
            record.isQuiet = next != nil
            return next == nil
        }
    }

    // MARK: Sending

    /// Sends what was gathered for the worker.
    func flush(_ record: WorkerRecord) {
        let flow = record.channel.flush()
        poller.setWritable(record.channel.wire, flow == .full, key: record.key(.wire))
        record.settleTickets()
        let isBackedUp = record.channel.backlog > WorkerChannel.longBacklog
        if isBackedUp != record.isBackedUp {
            record.isBackedUp = isBackedUp
            settleHearing(record)
        }
        // A worker that died: its exit report tells.
        if flow == .broken { giveUp(record, "the process did not read what the host sent, and was killed for it") }
    }
}
