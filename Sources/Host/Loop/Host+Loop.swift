import CLinux
import Engine
import Glibc
import Linux
import Record
import Scheduling
import Store
import TaskModel
import Wire
import Workers

// The turn: read, decide, commit, act.
extension Host {
    /// Turns until `isDone` says so, which is asked after each turn.
    package func run(until isDone: () -> Bool) throws(HostError) {
        now = Clock.moment()
        while !isDone() { try turnOnce() }
    }

    private func turnOnce() throws(HostError) {
        turn &+= 1
        let ready: Int
        do throws(SystemError) {
            // Work in hand: look what else is ready, but do not wait. One commit then serves both.
            let isIdle =
                actions.isEmpty && requests.writes.isEmpty && requests.answers.isEmpty && !hasUnwritten
                && launches.isEmpty && !isBusy
            let end = Clock.moment().instant
            longestTurn = max(longestTurn, end - now.instant)
            ready = try poller.wait(until: isIdle ? nextDeadline : now.instant, now: end)
        } catch {
            throw .system(error)
        }
        now = Clock.moment()
        // Output first: what a run printed before it completed belongs to it.
        for index in 0..<ready {
            if let key = SourceKey(poller[index].key), key.kind == .log { readLog(of: key) }
        }
        for index in 0..<ready {
            guard let key = SourceKey(poller[index].key) else { continue }
            switch key.kind {
            case .log: continue
            case .wire: serveWire(of: key, poller[index])
            case .emptiness: checkEmptiness(of: key)
            case .starvation: checkStarvation(of: key)
            case .zygote: serveZygote(key.index, poller[index])
            case .signal: while clinux_signalfd_read(signals.number) > 0 { stop() }
            case .source: serveSource(key, poller[index])
            }
        }
        hearAgain()
        if scheduler.nextDeadline(at: now) <= now.instant { lookAtDevice() }
        advanceDisk()
        advanceSources()
        engine.advance(to: now, into: &actions)
        scheduler.advance(to: now, into: &requests.decisions)
        settleDecisions()
        swap(&actions, &work)
        requests.scanned = 0
        warn()
        // A worker may come to be while the record is written: no handler is invoked before its run is on disk, for `start`
        // waits for the commit and the worker for `start`.
        for action in work {
            if case .launch(let worker, let application, let memory) = action {
                launches.append(LaunchQueue.Entry(worker: worker, application: Int(application), memory: memory))
            }
        }
        launchSome()
        do throws(StoreError) {
            try remember()
            try keepSmall()
        } catch {
            throw .store(error)
        }
        settleFullDisk()
        for action in work { act(on: action) }
        work.removeAll(keepingCapacity: true)
        if !requests.answers.isEmpty { answer() }
        Failpoint.pass(.flushBefore)
        flushChannels()
        Failpoint.pass(.flushAfter)
        isBusy = settleSources()
        settleInterest()
    }

    /// Something came up while the turn acted that belongs to the record.
    var hasUnwritten: Bool { isOutputDue || !lateNotes.isEmpty }

    /// Output is to be written for its own sake: how much was dropped waits until something else is, or nothing runs any more.
    private var isOutputDue: Bool { output.hasNews || (!output.parts.isEmpty && engine.occupied == 0) }

    /// Warns the runs that expire in this turn. A warning does not wait for the disk: should the host die before it is on
    /// record, so does the worker, and nothing that it says is lost. A run that begins in this turn is warned after that.
    private func warn() {
        for action in work {
            guard case .expire(let worker, let run, let reason) = action, extras[Int(run.index)].worker == worker,
                let record = self.worker(worker)
            else { continue }
            warn(run, on: record, because: reason)
            flush(record)
        }
    }

    /// When something is to be done, though nothing happens.
    private var nextDeadline: Instant {
        let scheduled = min(scheduler.nextDeadline(at: now), pace.deadline(after: now.instant), diskDeadline)
        let own = min(engine.nextDeadline, quietEnd)
        return min(own, sources.isEmpty ? scheduled : min(scheduled, sourcesDeadline))
    }

    /// Tells who waited for the commit.
    private func answer() {
        Failpoint.pass(.answerBefore)
        let answers = requests.answers
        requests.answers.removeAll(keepingCapacity: true)
        for answer in answers { answer() }
        Failpoint.pass(.answerAfter)
    }

    /// Writes the turn's part of the record and makes it durable.
    private func remember() throws(StoreError) {
        let isIdle =
            work.isEmpty && requests.writes.isEmpty && requests.answers.isEmpty && lateNotes.isEmpty
            && output.parts.isEmpty
        // The first turn makes room for those that follow.
        try pruneIfDue(isIdle: isIdle || turn == 1)
        try boundRecord()
        for action in work where action.isRemembered {
            switch action {
            case .insert(let run):
                guard let slot = engine.run(run) else { continue }
                let extra = extras[Int(run.index)]
                try store.insertRun(
                    RunStart(
                        id: slot.id, task: extra.identity ?? tasks[Int(slot.task)].row,
                        attempt: slot.attempt, submittedAt: slot.submitted, startedAt: slot.started?.time,
                        setup: slot.started == nil ? nil : extra.setup, origin: extra.origin), waits: extra.waits.span)
            case .markExpired(let run):
                guard let slot = engine.run(run), let expired = slot.expired, let reason = slot.reason else { continue }
                if slot.phase != .ended { try store.markExpired(slot.id, at: expired, reason: reason) }
            case .finish(let run): try rememberEnd(of: run)
            default: continue
            }
        }
        try rememberRequests()
        try rememberLateNotes()
        if isOutputDue || (!output.parts.isEmpty && work.contains { $0.isRemembered }) {
            for part in output.parts {
                let printed = Array(output.bytes[part.range])
                try store.appendOutput(sequence: part.sequence, bytes: printed.span.bytes, dropped: part.dropped)
                unweighedOutput += printed.count
            }
            output.removeAll()
        }
        Failpoint.pass(.commitBefore)
        try store.commit()
        Failpoint.pass(.commitAfter)
    }

    private func rememberEnd(of run: RunHandle) throws(StoreError) {
        guard let slot = engine.run(run), let outcome = slot.outcome, let ended = slot.ended else { return }
        let end = RunEnd(
            id: slot.id, outcome: outcome, reason: slot.reason, startedAt: slot.started?.time,
            expiredAt: slot.expired, endedAt: ended, wallTime: slot.wallTime, cpuTime: slot.cpuTime,
            peakMemory: slot.peakMemory, memoryAtStart: slot.memoryAtStart, signal: slot.signal,
            exitStatus: slot.exitStatus, result: slot.result, setup: extras[Int(run.index)].setup)
        let events = slot.events
        try events.withSpan { span throws(StoreError) in try store.finishRun(end, events: span) }
        if let shared = slot.sharedWith { extras[Int(run.index)].diagnostics.append(sentence(of: shared)) }
        if !extras[Int(run.index)].diagnostics.isEmpty {
            try store.addDiagnostics(to: slot.id, extras[Int(run.index)].diagnostics.sentences)
        }
    }

    private func sentence(of shared: SharedDeadline) -> String {
        "until that run ended it had the deadline of \(tasks[Int(shared.task)].definition.identifier) (\(shared.id)), which the "
            + "same launch delivered; a task with a budget of its own in the manifest shares none"
    }

    /// Sends what was gathered for each worker.
    private func flushChannels() {
        var index = 0
        while index < talking.count {
            let handle = talking[index]
            index += 1
            if let record = worker(handle) { flush(record) }
        }
        talking.removeAll(keepingCapacity: true)
    }

    /// The record of a worker that is still this one.
    func worker(_ handle: WorkerHandle) -> WorkerRecord? {
        guard handle.index < workers.count, let record = workers[Int(handle.index)], record.handle == handle else {
            return nil
        }
        return record
    }

    func worker(_ key: SourceKey) -> WorkerRecord? {
        guard key.index < workers.count, let record = workers[Int(key.index)],
            record.handle.generation & 0xFF_FFFF == key.generation
        else { return nil }
        return record
    }
}
