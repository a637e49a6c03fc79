import Engine
import Glibc
import Linux
import TaskModel
import Wire
import Workers

// Outward effects, after the commit.
extension Host {
    func act(on action: Action) {
        switch action {
        // Remembered, or done while that was written.
        case .insert, .markExpired, .finish, .launch: break
        case .start(let worker, let run): start(run, on: worker)
        case .expire(let worker, let run, let reason): expire(run, on: worker, because: reason)
        case .setDeadline(let worker, let run): setDeadline(of: run, on: worker)
        case .state(let worker, let state): tellState(state, to: worker)
        case .expireAssertions(let worker):
            guard let record = self.worker(worker) else { return }
            record.channel.enqueue(FrameWriter(.expireAssertions).finished() ?? [])
            talk(record)
        case .limitMemory(let worker, let limit):
            guard let record = self.worker(worker) else { return launches.setMemory(limit, of: worker) }
            _ = record.group.limitMemory(limit)
        case .examine(let worker): examine(worker)
        case .meter(let worker):
            guard let record = self.worker(worker) else { return }
            // Where nobody else does it, the whole tree is looked at: too dear for every completion.
            if groups.enforces(.memory) == .meter { _ = record.group.currentMemory() }
            meter(record)
        case .weigh(let worker): weigh(worker)
        case .meterSpace: meterSpace()
        case .weighFolders(let application): weighFolders(Int(application))
        case .sweep(let worker): sweep(worker)
        case .terminate(let worker): terminate(worker)
        case .kill(let worker): killTree(of: worker)
        case .reply(let run): reply(run)
        case .retire(let worker): retire(worker)
        }
    }

    private func start(_ run: RunHandle, on worker: WorkerHandle) {
        guard let record = self.worker(worker), let slot = engine.run(run) else { return }
        Failpoint.pass(.start)
        extras[Int(run.index)].worker = worker
        extras[Int(run.index)].setup = record.setup
        for note in record.notes { extras[Int(run.index)].diagnostics.append(note) }
        record.budget.addRun()
        print(run, on: record)
        let extra = extras[Int(run.index)]
        var head = StartFrame(
            task: place(of: slot.task, in: record), attempt: slot.attempt, id: slot.id, deadline: slot.budgetEnd,
            payloadLength: UInt32(extra.payload.count), settingsLength: UInt32(extra.settings.count))
        if extra.identity != nil {
            head.identifierLength = UInt16(extra.identifier?.utf8.count ?? 0)
            head.titleLength = UInt16(extra.title.utf8.count)
            head.subtitleLength = UInt16(extra.subtitle.utf8.count)
        }
        record.channel.enqueue(length: head.frameSize) { buffer in
            head.write(run: run, to: buffer)
            var rest = UnsafeMutableRawBufferPointer(rebasing: buffer[StartFrame.headSize...])
            rest.copyBytes(from: extra.payload)
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[extra.payload.count...])
            rest.copyBytes(from: extra.settings)
            guard extra.identity != nil else { return }
            rest = UnsafeMutableRawBufferPointer(rebasing: buffer[head.namesOffset...])
            for name in [extra.identifier ?? "", extra.title, extra.subtitle] {
                rest.copyBytes(from: name.utf8)
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[name.utf8.count...])
            }
        }
        audience?.run(run, didStartAt: now.time, in: self)
        talk(record)
    }

    /// By what number the worker knows the task.
    private func place(of task: UInt32, in record: WorkerRecord) -> UInt32 {
        let installed = tasks[Int(task)]
        guard record.form !== applications[record.application] else { return installed.place }
        // Launched before a reload: the manifest had another order then.
        let place = record.form.tasks.firstIndex { $0.identifier == installed.definition.identifier }
        return place.map(UInt32.init) ?? .max
    }

    /// Tells whoever watches, now that it is on record; the run itself was warned before, unless it has only begun.
    private func expire(_ run: RunHandle, on worker: WorkerHandle, because reason: Reason) {
        guard let record = self.worker(worker) else { return }
        if !extras[Int(run.index)].isWarned {
            warn(run, on: record, because: reason)
            talk(record)
        }
        audience?.run(run, didExpire: reason, in: self)
    }

    /// Gathers the warning for the worker.
    func warn(_ run: RunHandle, on record: WorkerRecord, because reason: Reason) {
        Failpoint.pass(.expire)
        extras[Int(run.index)].isWarned = true
        var frame = FrameWriter(.expire, run: run)
        frame.integer(UInt32(reason.rawValue))
        record.channel.enqueue(frame.finished() ?? [])
    }

    private func setDeadline(of run: RunHandle, on worker: WorkerHandle) {
        guard let record = self.worker(worker), let slot = engine.run(run) else { return }
        var frame = FrameWriter(.deadline, run: run)
        frame.integer(slot.budgetEnd.nanoseconds)
        record.channel.enqueue(frame.finished() ?? [])
        talk(record)
    }

    private func terminate(_ worker: WorkerHandle) {
        guard let record = self.worker(worker) else { return }
        record.channel.enqueue(FrameWriter(.terminate).finished() ?? [])
        talk(record)
    }

    func talk(_ record: WorkerRecord) {
        if talking.last != record.handle { talking.append(record.handle) }
    }

    /// Kills the whole tree, and says so when nothing of it is left. The engine asks again until then.
    private func killTree(of worker: WorkerHandle) {
        guard let record = self.worker(worker) else {
            if launches.remove(worker) { vanish(worker) }
            return
        }
        guard !record.isEmptied else { return }
        Failpoint.pass(.killBefore)
        record.group.kill()
        Failpoint.pass(.killAfter)
        checkEmptiness(of: record)
    }

    /// An idle worker's tree is the worker alone.
    private func sweep(_ worker: WorkerHandle) {
        guard let record = self.worker(worker), let own = record.pid else { return }
        let others = record.group.processes().filter { $0 != own }
        if let names = Self.names(of: others) { noteLeftBehind(names, by: record) }
        for pid in others {
            // The pidfd is that process whatever becomes of the number; the second look tells that it is still the tree's.
            guard let process = try? ProcessProbe.open(pid), record.group.processes().contains(pid) else { continue }
            try? ProcessProbe.signal(process.number, SIGKILL)
        }
    }

    /// What the worker prints from now on is that run's: nobody can tell which of several it comes from.
    private func print(_ run: RunHandle, on record: WorkerRecord) {
        if let last = record.printing, engine.run(last.run) != nil { extras[Int(last.run.index)].printed = last.kept }
        guard let slot = engine.run(run) else { return }
        record.printing = OutputTarget(run: run, sequence: slot.sequence, kept: extras[Int(run.index)].printed)
        guard !record.early.isEmpty else { return }
        record.early.withUnsafeBytes { keep($0, of: record) }
        record.early = []
    }

    /// The run is done: what its worker prints from now on is that of the newest one that goes on there.
    private func passOutput(of run: RunHandle) {
        guard let worker = extras[Int(run.index)].worker, let record = self.worker(worker), record.printing?.run == run
        else { return }
        let others = engine.runs(of: worker).filter { $0 != run && engine.run($0)?.started != nil }
        let newest = others.max { (engine.run($0)?.sequence ?? 0) < (engine.run($1)?.sequence ?? 0) }
        if let newest { print(newest, on: record) }
    }

    private func reply(_ run: RunHandle) {
        guard let slot = engine.run(run) else { return }
        passOutput(of: run)
        Failpoint.pass(.replyBefore)
        extras[Int(run.index)].observer?.run(run, didEnd: slot, in: self)
        audience?.run(run, didEnd: slot, in: self)
        Failpoint.pass(.replyAfter)
        extras[Int(run.index)] = RunExtra()
        engine.release(run)
    }

    private func retire(_ worker: WorkerHandle) {
        guard let record = self.worker(worker) else {
            // It failed before there was anything to keep.
            engine.release(worker)
            return
        }
        Failpoint.pass(.retire)
        // Nobody is left who could print more, and one reading takes all that a pipe holds: the next turn records it.
        drainLog(of: record)
        noteUnlisted(of: record)
        poller.remove(record.channel.wire)
        poller.remove(record.channel.log)
        if let descriptor = record.group.emptinessDescriptor { poller.remove(descriptor) }
        if let starvation = record.group.starvation { poller.remove(starvation.descriptor) }
        keepForReuse(record.group, of: record.application, isEmptied: record.isEmptied)
        state.workers.forget(worker.index)
        workers[Int(worker.index)] = nil
        engine.release(worker)
    }
}
