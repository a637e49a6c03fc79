import Engine
import Linux
import Setting
package import TaskModel
import Wire
import Workers

// Frames and events of zygotes and control groups: the ends of workers, and their usage.
extension Listener {
    // MARK: Zygotes

    func serveZygote(_ number: UInt32, _ source: ReadySource) {
        guard let flavor = ZygoteFlavor(rawValue: number), let zygote = launcher.zygotes[flavor] else { return }
        if source.isWritable { launcher.zygotes.flush(zygote, flavor) }
        if source.isReadable { read(zygote, flavor) }
    }

    /// Reads it as far as the turn's time allows; it is ready again in the next.
    private func read(_ zygote: ZygoteProcess, _ flavor: ZygoteFlavor) {
        let portion = TurnPortion()
        while let report = zygote.receive() {
            switch report {
            case .launched(let callID, let pid, let tree):
                guard let record = table[WorkerHandle(callID: callID)] else { continue }
                record.pid = pid
                // The worker may have been faster than this report.
                record.group.adopt(pid: pid, tree: tree)
                record.isHeld = false
                for run in decider.activeRuns where runs[run].worker == record.handle {
                    runs[run].pid = pid
                    if faults.strike(run, in: record) { record.isHeld = true }
                }
                // A start may have waited for its process, whatever has become of the fault since.
                table.talk(record)
                launcher.note(record, pid: pid)
            case .launchFailed(LaunchRefusal.ownCallID, let refusal): launcher.zygotes.fail(flavor, refusal)
            case .launchFailed(let callID, let refusal):
                guard let record = table[WorkerHandle(callID: callID)] else { continue }
                record.isGone = true
                launcher.tell(
                    LaunchFault(code: refusal.code, "its worker could not be launched: \(refusal.sentence)"),
                    of: record.handle)
                decider.hear(.exited(record.handle, WorkerExit(signal: 0, status: 0, outOfMemory: false)))
            case .exited(let callID, let exit):
                guard let record = table[WorkerHandle(callID: callID)] else { continue }
                ended(record, signal: exit.signal, status: exit.status)
                guard !portion.isOver else { return }
            case .lost:
                loseZygote(flavor)
                return
            }
        }
    }

    /// The worker's first process has ended: last readings, then the engine; the rest of the tree is killed.
    ///
    /// - Parameter fault: it was lost through no fault of its application; nil: it ended by itself, or by a signal.
    private func ended(_ record: WorkerRecord, signal: Int32, status: Int32, fault: LaunchFault? = nil) {
        guard !record.isGone else { return }
        record.isGone = true
        // First kill the rest of the tree, which has no purpose any more: while one of its processes can write, output and
        // wire do not end. Then read their contents.
        var left: String?
        let wasAlone = record.group.isEmpty()
        if !wasAlone {
            left = Self.namesOfKilled(record.group.processes())
            record.group.kill()
        }
        drainLog(of: record)
        takeLastFrames(of: record)
        if record.isUnused { decider.hear(.stale(record.handle)) }
        // Its completion may have been among the last frames.
        if let left, decider.runs(of: record.handle).isEmpty { noteLeftBehind(left, by: record) }
        noteErrors(of: record)
        meter(record)
        for run in decider.runs(of: record.handle) { noteDenials(run, of: record) }
        let exit = WorkerExit(
            signal: signal, status: status, outOfMemory: record.group.outOfMemoryKills > 0,
            guilty: guiltyRun(of: record, signal: signal))
        noteCrash(of: record, exit)
        if fault == nil { noteDeath(of: record, exit) }
        failLaunch(of: record) {
            if let fault { launcher.tell(fault, of: record.handle) }
            decider.hear(.exited(record.handle, exit))
        }
        if wasAlone { conclude(record) } else { checkEmptiness(of: record) }
    }

    /// A program that succeeded and complained: cron would have mailed it. Its worker has the one run, and all of it is read now.
    private func noteErrors(of record: WorkerRecord) {
        guard record.output.hasErrors, record.output.hasSucceeded, let run = record.output.endedRuns.newest else {
            return
        }
        noteLate("it succeeded, and wrote to its standard error", for: run, of: record)
        noteDenials(run, of: record)
    }

    /// Its workers died with it (they die with their parent), through no fault of their own. The next launch starts a new
    /// one.
    private func loseZygote(_ flavor: ZygoteFlavor) {
        guard let zygote = launcher.zygotes[flavor] else { return }
        let refusal = launcher.zygotes.bury(zygote, flavor)
        let fault =
            refusal.map { LaunchFault(code: $0.code, "its worker could not be launched: \($0.sentence)") }
            ?? LaunchFault(.zygote, "the process that its worker was forked from was lost")
        for record in table.living where record.zygote == flavor && !record.isGone && !record.ending.isLost {
            record.ending.isLost = true
            lost.append(LostWorker(worker: record.handle, fault: fault))
        }
        // Workers with runs go first.
        _ = lost.partition { decider.runCount(of: $0.worker) == 0 }
    }

    /// Processes the ends of workers that died with their zygote, as far as the turn's time allows.
    func takeLost() {
        guard !lost.isEmpty else { return }
        let count = TurnPortion().work(on: lost) { end in
            guard let record = table[end.worker] else { return }
            record.group.kill()
            ended(record, signal: Signal.SIGKILL.rawValue, status: 0, fault: end.fault)
        }
        lost.removeFirst(count)
    }

    func checkEmptiness(of key: SourceKey) {
        if let record = table[key] { checkEmptiness(of: record) }
    }

    /// Tells the engine, once, when the tree is empty. It reads in any case, which clears the event: a freeze is one too.
    func checkEmptiness(of record: WorkerRecord) {
        let isEmpty = record.group.isEmpty()
        guard !record.ending.hasTreeExited, record.isGone else { return }
        if isEmpty { return conclude(record) }
        guard let names = namesBeyondReach(of: record) else { return }
        note(beyondReach: names, of: record)
        conclude(record)
    }

    /// All that is left of a program without confinement, if the host may kill none of it: it became another user, as by sudo, under an
    /// ordinary user's host.
    private func namesBeyondReach(of record: WorkerRecord) -> String? {
        guard record.zygote == .unconfined else { return nil }
        let processes = record.group.processes()
        return processes.allSatisfy(ProcessHandle.isBeyondReach) ? Self.names(of: processes) : nil
    }

    /// The run does not wait for them.
    private func note(beyondReach names: String, of record: WorkerRecord) {
        let sentence =
            "the host may not kill what it left running: process \(names), of another user; end it as that user"
        let open = decider.runs(of: record.handle)
        for run in open { note(sentence, for: run, of: record) }
        if open.isEmpty, let last = record.output.endedRuns.newest { noteLate(sentence, for: last, of: record) }
    }

    private func conclude(_ record: WorkerRecord) {
        guard !record.ending.hasTreeExited else { return }
        record.ending.hasTreeExited = true
        decider.hear(.treeExited(record.handle))
    }

    /// The tree ran out of memory. The kernel usually kills a child for that, because the worker's own end is reported.
    func checkMemoryEvents(of key: SourceKey) {
        guard let record = table[key] else { return }
        record.group.clearMemoryEvents()
        record.ending.ranOutOfMemory = true
        meter(record)
        guard record.ending.ranOutOfMemory else { return }
        // Version 2 announces the kill itself, and each time that memory was short as well.
        if record.group.memoryEvents?.isUrgent == true {
            record.ending.ranOutOfMemory = false
        } else {
            decider.hear(.memoryRanOut(record.handle))
        }
    }

    // MARK: Metering

    /// Reads the tree's usage, at most once a turn.
    func meterOnce(_ record: WorkerRecord) {
        if record.meteredTurn != decider.turn { meter(record) }
    }

    func meter(_ record: WorkerRecord) {
        record.meteredTurn = decider.turn
        let cpu = cpuTime(of: record)
        let peak = record.group.peakMemory() ?? ByteCount(bytes: 0)
        // What they use is too much as well, in most cases.
        if let most = record.group.exceededProcesses, !record.isGone {
            table.giveUp(record, "it had more than the \(most) processes and threads that it may have and was killed")
        }
        decider.hear(.metered(record.handle, cpu: cpu, peak: peak))
        guard record.ending.ranOutOfMemory, !record.isGone, record.group.outOfMemoryKills > 0 else { return }
        record.ending.ranOutOfMemory = false
        decider.hear(.outOfMemory(record.handle))
    }

    package func cpuTime(of record: WorkerRecord) -> TimeSpan {
        let cpu = record.group.cpuTime() ?? .zero
        guard decider.isVirtual else { return cpu }
        let (host, machine) = (decider.now.instant, decider.machine.instant)
        var load = record.load ?? CPULoad(host: host, machine: machine, processors: ThisProcess.processors)
        let isBusy = decider.runCount(of: record.handle) > 0
        defer { record.load = load }
        let waiting = record.pid.map { RunDelay.of($0) } ?? .zero
        return load.reading(cpu, waiting: waiting, isBusy: isBusy, host: host, machine: machine)
    }

    /// Tells the engine the memory of the tree. With the peak reset, later ends of runs need no such reading while the peak
    /// stays low.
    ///
    /// - Parameter record: nil: the worker has ended.
    func tellWeight(of worker: WorkerHandle, _ record: WorkerRecord?) {
        let memory = record?.group.currentMemory()
        record?.group.resetPeak()
        decider.hear(.weighed(worker, memory: memory))
    }
}

extension WorkerHandle {
    /// A worker's handle travels to the zygote in the place of a run's.
    init(callID: RunHandle) { self.init(index: callID.index, generation: callID.generation) }
    var callID: RunHandle { RunHandle(index: index, generation: generation) }
}
