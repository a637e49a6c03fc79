import CLinux
import Engine
import Glibc
import Linux
import Record
import Store
import TaskModel
import Wire
import Workers

// What workers and zygotes say.
extension Host {
    /// One frame of a worker. Throws for what no honest worker sends.
    func take(_ header: FrameHeader, _ frame: UnsafeRawBufferPointer, from record: WorkerRecord) throws(WireError) {
        guard let kind = FrameKind(rawValue: header.kind) else { throw .unknownKind(header.kind) }
        try advance(record, by: kind)
        charge(record, kind, header.run, bytes: frame.count)
        var reader = FrameReader(body: frame)
        switch kind {
        case .completed:
            let completion = try Completion(reading: frame)
            readBeforeEnd(record)
            willComplete(header.run, of: record)
            engine.handle(
                .completed(
                    record.handle, header.run, success: completion.success, result: completion.result,
                    automatic: completion.automatic), at: now, into: &actions)
        case .unreported:
            readBeforeEnd(record)
            engine.handle(.unreported(record.handle, header.run), at: now, into: &actions)
        case .declined:
            note(try reader.text(), for: header.run, of: record)
            meterOnce(record)
            engine.handle(.declined(record.handle, header.run), at: now, into: &actions)
        case .confined:
            let report = try ConfinementReport(from: &reader)
            record.degraded += report.degraded
            settle(record, report)
        case .ready:
            try reader.end()
            engine.handle(.ready(record.handle), at: now, into: &actions)
        case .refused:
            let refusal = try LaunchRefusal(from: &reader)
            tell(LaunchFault(code: refusal.code, refusal.sentence), of: record.handle)
        case .progress:
            let report = try ProgressReport(from: &reader)
            guard owns(header.run, record) else { return }
            extras[Int(header.run.index)].progress = report
            engine.handle(
                .progressed(record.handle, header.run, completed: report.completed), at: now, into: &actions)
            extras[Int(header.run.index)].observer?.run(header.run, didProgress: report, in: self)
            audience?.run(header.run, didProgress: report, in: self)
        case .log:
            let level = try reader.integer(UInt8.self)
            keepLogLine(level, try reader.bytes(), for: header.run, of: record)
        case .diagnostic:
            guard let code = DiagnosticCode(rawValue: try reader.integer()) else { throw .badValue }
            note(code.sentence, for: header.run, of: record)
        default: try serveApplication(kind, header, &reader, of: record)
        }
    }

    private func settle(_ record: WorkerRecord, _ report: ConfinementReport) {
        let words = ConfinementText.describe(
            report, tier: groups.tier.rawValue, missing: missingLimits,
            holdsAddresses: record.form.definition.permissions.network.isEmpty
                ? nil : record.group.connectGuard != nil,
            disk: quotas.hold(of: record.application))
        do throws(StoreError) {
            record.setup = try store.setupRow(confinement: words, degraded: record.degraded)
        } catch {
            // The commit of this turn fails for the same reason, and stops the host.
            record.setup = nil
        }
    }

    /// A run of the worker ends: what it printed before is its own, and may wait in a pipe that is left alone.
    private func readBeforeEnd(_ record: WorkerRecord) {
        if record.logQuiet != nil { drainLog(of: record) }
        meterOnce(record)
    }

    /// Whether the run is one of this worker's: a worker speaks for no other.
    func owns(_ run: RunHandle, _ record: WorkerRecord) -> Bool {
        guard let slot = engine.run(run) else { return false }
        return slot.worker(is: record.handle.index)
    }

    func note(_ sentence: String, for run: RunHandle, of record: WorkerRecord) {
        guard owns(run, record) else { return noteLate(sentence, for: run, of: record) }
        extras[Int(run.index)].diagnostics.appendClaim(sentence.cut(to: ServiceLimits.sentence))
    }

    private static let levels = ["debug", "info", "notice", "warning", "error"]

    private func keepLogLine(
        _ level: UInt8, _ text: UnsafeRawBufferPointer, for run: RunHandle, of record: WorkerRecord
    ) {
        guard owns(run, record), let slot = engine.run(run) else { return }
        let word = Self.levels[min(Int(level), Self.levels.count - 1)]
        let room = max(0, configuration.outputLimit - extras[Int(run.index)].logged)
        guard text.count < room else {
            // Without a look at it: most lines of a flood end here.
            return output.drop(word.utf8.count + text.count + 3, of: slot.sequence)
        }
        let line = Array("\(word): \(String(decoding: text, as: UTF8.self))\n".utf8)
        let kept = line.count <= room ? line.count : 0
        extras[Int(run.index)].logged += kept
        line.withUnsafeBytes { bytes in
            let part = UnsafeRawBufferPointer(rebasing: bytes[0..<kept])
            output.append(part, dropped: UInt64(line.count - kept), to: slot.sequence)
            if kept > 0 {
                extras[Int(run.index)].observer?.run(run, didPrint: part, in: self)
                audience?.run(run, didPrint: part, in: self)
            }
        }
    }

    // MARK: Zygotes

    func serveZygote(_ flavor: UInt32, _ source: ReadySource) {
        guard flavor < zygotes.count, let zygote = zygotes[Int(flavor)] else { return }
        if source.isWritable {
            // One that has ended says so to whoever reads.
            try? zygote.flush()
            waitForRoom(zygote, flavor)
        }
        if source.isReadable { read(zygote, flavor) }
    }

    /// Hears of room in its socket as long as something waits for it.
    func waitForRoom(_ zygote: ZygoteProcess, _ flavor: UInt32) {
        poller.setWritable(
            zygote.control, zygote.isWaiting, key: SourceKey(.zygote, index: flavor).bits)
    }

    private func read(_ zygote: ZygoteProcess, _ flavor: UInt32) {
        while let report = zygote.receive() {
            switch report {
            case .launched(let ticket, let pid):
                guard let record = worker(WorkerHandle(ticket: ticket)) else { continue }
                record.pid = pid
                record.group.adopt(pid: pid)
                // Where control groups hold it, they tell the next host.
                if groups.tier == .none {
                    state.workers.note(
                        pid, user: launchFrames[record.application]?.user ?? 0, in: record.handle.index)
                }
            case .launchFailed(LaunchRefusal.ownTicket, let refusal): zygoteFaults[Int(flavor)] = refusal
            case .launchFailed(let ticket, let refusal):
                guard let record = worker(WorkerHandle(ticket: ticket)) else { continue }
                record.isGone = true
                tell(
                    LaunchFault(code: refusal.code, "its worker could not be launched: \(refusal.sentence)"),
                    of: record.handle)
                engine.handle(
                    .exited(record.handle, WorkerExit(signal: 0, status: 0, outOfMemory: false)), at: now,
                    into: &actions)
            case .exited(let ticket, let exit):
                guard let record = worker(WorkerHandle(ticket: ticket)) else { continue }
                ended(record, signal: exit.signal, status: exit.status)
            case .lost:
                loseZygote(flavor)
                return
            }
        }
    }

    /// The worker's first process ended: last readings, then the engine; what is left of the tree is killed.
    ///
    /// - Parameter fault: it was lost by no doing of its application; nil: it ended by itself, or by a signal.
    private func ended(_ record: WorkerRecord, signal: Int32, status: Int32, fault: LaunchFault? = nil) {
        guard !record.isGone else { return }
        record.isGone = true
        // First the rest of the tree, which has nothing to do any more: while something of it writes, its output and its
        // wire have no end. What they hold by then is read.
        var left: String?
        let wasAlone = record.group.isEmpty()
        if !wasAlone {
            left = Self.names(of: record.group.processes())
            record.group.kill()
        }
        drainLog(of: record)
        takeLastFrames(of: record)
        // Its completion may have been among the last frames.
        if let left, engine.runs(of: record.handle).isEmpty { noteLeftBehind(left, by: record) }
        meter(record)
        if let fault { tell(fault, of: record.handle) }
        let exit = WorkerExit(signal: signal, status: status, outOfMemory: record.group.outOfMemoryKills > 0)
        engine.handle(.exited(record.handle, exit), at: now, into: &actions)
        if wasAlone { conclude(record) } else { checkEmptiness(of: record) }
    }

    /// Its workers died with it (they die with their parent), and are to blame for nothing. A new one is made at the next
    /// launch.
    private func loseZygote(_ flavor: UInt32) {
        guard let zygote = zygotes[Int(flavor)] else { return }
        poller.remove(zygote.control)
        zygotes[Int(flavor)] = nil
        var exit = clinux_exit_t()
        _ = kill(zygote.pid, SIGKILL)
        _ = clinux_wait(zygote.pid, &exit)
        // One that could not even start says why, and says it again at every start.
        let refusal = zygoteFaults[Int(flavor)]
        zygoteFaults[Int(flavor)] = nil
        for record in workers {
            guard let record, record.zygote.rawValue == flavor, !record.isGone else { continue }
            record.group.kill()
            let fault = refusal.map { LaunchFault(code: $0.code, "its worker could not be launched: \($0.sentence)") }
            ended(
                record, signal: SIGKILL, status: 0,
                fault: fault ?? LaunchFault(.zygote, "the process that its worker was forked from was lost"))
        }
    }

    func checkEmptiness(of key: SourceKey) {
        if let record = worker(key) { checkEmptiness(of: record) }
    }

    /// Tells the engine, once, when nothing of the tree is left. Reading clears the announcement in any case.
    func checkEmptiness(of record: WorkerRecord) {
        guard !record.isEmptied, record.group.isEmpty(), record.isGone else { return }
        conclude(record)
    }

    private func conclude(_ record: WorkerRecord) {
        guard !record.isEmptied else { return }
        record.isEmptied = true
        engine.handle(.emptied(record.handle), at: now, into: &actions)
    }

    /// The tree ran out of memory. Whoever the kernel kills for that is mostly a child, for the worker's own end is reported.
    func checkStarvation(of key: SourceKey) {
        guard let record = worker(key) else { return }
        record.group.clearStarvation()
        record.ranOutOfMemory = true
        meter(record)
        guard record.ranOutOfMemory else { return }
        // Version 2 announces the kill itself, and each time that memory was short as well.
        if record.group.starvation?.isUrgent == true {
            record.ranOutOfMemory = false
        } else {
            engine.handle(.memoryRanOut(record.handle), at: now, into: &actions)
        }
    }

    // MARK: Metering

    /// Reads the tree's usage, at most once a turn.
    func meterOnce(_ record: WorkerRecord) {
        if record.meteredTurn != turn { meter(record) }
    }

    func meter(_ record: WorkerRecord) {
        record.meteredTurn = turn
        let cpu = record.group.cpuTime() ?? .zero
        let peak = record.group.peakMemory() ?? ByteCount(bytes: 0)
        engine.handle(.metered(record.handle, cpu: cpu, peak: peak), at: now, into: &actions)
        guard record.ranOutOfMemory, !record.isGone, record.group.outOfMemoryKills > 0 else { return }
        record.ranOutOfMemory = false
        engine.handle(.starved(record.handle), at: now, into: &actions)
    }

    /// Reads what the tree has in memory now. With the peak begun anew, later ends of runs cost no such reading as long as the peak
    /// stays low.
    func weigh(_ worker: WorkerHandle) {
        let record = self.worker(worker)
        let memory = record?.group.currentMemory()
        record?.group.resetPeak()
        engine.handle(.weighed(worker, memory: memory), at: now, into: &actions)
    }
}

extension WorkerHandle {
    /// A worker's handle travels to the zygote in the place of a run's.
    init(ticket: RunHandle) { self.init(index: ticket.index, generation: ticket.generation) }
    var ticket: RunHandle { RunHandle(index: index, generation: generation) }
}
