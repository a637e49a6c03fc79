import Engine
import Record
import Scheduling
import TaskModel
import Wire
import Workers

// Launches that went wrong: told as what they are, the host's and the machine's doing or the application's own.
extension Host {
    /// Tells the engine that the worker cannot be launched, or cannot serve, and the runs why.
    func tell(_ fault: LaunchFault, of worker: WorkerHandle) {
        let runs = engine.runs(of: worker)
        for run in runs { diagnose(fault.sentence.cut(to: LaunchRefusal.maximumSentence), run) }
        guard let shortage = fault.shortage else {
            return engine.handle(.refused(worker), at: now, into: &actions)
        }
        engine.handle(.lacked(worker, shortage), at: now, into: &actions)
        for run in runs { tellWait(of: run) }
    }

    /// Adds the sentence, once.
    func diagnose(_ sentence: String, _ run: RunHandle) {
        guard extras[Int(run.index)].diagnostics.sentences.last != sentence else { return }
        extras[Int(run.index)].diagnostics.append(sentence)
    }

    /// A run without a request waits in the engine: who asked for it hears what for.
    private func tellWait(of run: RunHandle) {
        guard let slot = engine.run(run), slot.phase == .pending,
            let tally = engine.shortage(of: engine.application(of: slot.task))
        else { return }
        let pause = engine.holdEnd(of: engine.application(of: slot.task)) - now.instant
        let wait = LaunchWait(shortage: tally.cause, returns: tally.returns, pause: pause)
        extras[Int(run.index)].observer?.run(run, waits: wait, in: self)
        audience?.run(run, waits: wait, in: self)
    }

    /// The run of a request went back for want of something: its record says what becomes of the request.
    func tellReturn(of request: RequestHandle, _ run: RunHandle) {
        guard let tally = scheduler.request(request)?.shortage else { return }
        let times = tally.returns == 1 ? "" : " (\(tally.returns) times in a row)"
        let sentence =
            "for want of \(tally.cause.wanted)\(times) the request is tried again in \(tally.pause)"
            + (tally.isLasting ? ", and once an hour from now on; see taskhost why" : "")
        diagnose(sentence, run)
    }

    /// What the request lacks has lasted: a person should know.
    func noteShortage(of request: RequestHandle) {
        guard let tally = scheduler.request(request)?.shortage, let identifier = identifier(of: request) else { return }
        note(
            .shortage, identifier,
            "its launch lacked \(tally.cause.wanted) \(tally.returns) times within an hour; it is tried once an hour now"
        )
    }

    // MARK: Slow launches

    /// A worker was not ready in its time. The machine is to blame if the worker had to wait for a processor or a disk for
    /// more than half of it.
    func examine(_ worker: WorkerHandle) {
        guard let record = self.worker(worker), let pid = record.pid else {
            let fault = LaunchFault(
                .time,
                "no process was made for its worker within \(engine.limits.profile.launch): the process that "
                    + "workers are forked from is busy")
            return tell(fault, of: worker)
        }
        let span = now.instant - record.launched
        let found = LaunchExamination(of: pid, group: record.group, library: record.form.library?.path)
        guard found.waited.nanoseconds <= span.nanoseconds / 2 else {
            let sentence =
                "its worker was not ready within \(span), of which it waited \(found.processor ?? .zero) for a processor "
                + "and \(found.disk ?? .zero) for a disk"
            return tell(LaunchFault(.time, sentence), of: worker)
        }
        let runs = engine.runs(of: worker)
        for run in runs { diagnose(found.sentence(after: span), run) }
        if runs.isEmpty {
            // A run tells of it with its end.
            scheduler.crashed(application: UInt32(record.application), at: now, into: &requests.decisions)
        }
        engine.handle(.hung(worker), at: now, into: &actions)
    }
}

extension LaunchExamination {
    /// Why the library is to blame, and where it is, as far as that could be seen.
    fileprivate func sentence(after span: TimeSpan) -> String {
        let doing =
            switch state {
            case "R": "it is computing"
            case "S": "it waits for something"
            case "D": "it waits in the kernel"
            case "T": "it is stopped"
            default: "its state is unknown"
            }
        return "its worker was not ready within \(span): a constructor or launch() of the library hangs; "
            + "\(place ?? doing), after \(used ?? .zero) of processor time"
    }
}
