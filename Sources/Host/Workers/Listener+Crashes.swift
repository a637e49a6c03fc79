import Engine
import Linux
import Record
import TaskModel
import Wire

// A process's report of its crash: shown as its own claim. It counts only when the process ended with that signal.
extension Listener {
    /// The run of the crashed thread, as reported; nil: unknown, or no run in progress there.
    func guiltyRun(of record: WorkerRecord, signal: Int32) -> RunHandle? {
        guard let run = record.ending.crash?.run, record.ending.crash?.signal == signal,
            decider.isActive(run, of: record.handle)
        else { return nil }
        return run
    }

    /// A process died, not by the host, and no run will report it. Call it before the engine receives the end.
    func noteDeath(of record: WorkerRecord, _ exit: WorkerExit) {
        guard exit.signal != 0 || exit.status != 0, !exit.outOfMemory, decider.runs(of: record.handle).isEmpty,
            decider.isServing(record.handle)
        else { return }
        let end =
            exit.signal != 0 ? "by signal \(Signal.words(exit.signal))" : "with the exit status \(exit.status)"
        announcer.note(
            .crashed, installed.name(of: record.application),
            "its process\(record.pid.map { " \($0)" } ?? "") ended \(end); no run was in progress in it")
    }

    /// Adds the report to the runs that end with the process, or to the one that completed last. Call it before the engine
    /// receives the end.
    func noteCrash(of record: WorkerRecord, _ exit: WorkerExit) {
        guard let report = record.ending.crash, report.signal == exit.signal else { return }
        let place = report.address.map { " at address 0x\(String($0, radix: 16))" } ?? ""
        let words = "signal \(Signal.words(report.signal))\(place)"
        let going = decider.runs(of: record.handle)
        guard !going.isEmpty else {
            guard let run = report.run ?? record.output.endedRuns.newest else { return }
            return noteLate("it says that it crashed after the completion: \(words)", for: run, of: record)
        }
        let owner = exit.guilty.flatMap { runs.identifier(of: $0) }
        let thread = owner.map { "in the thread of \($0)" } ?? "in a thread of no run in progress"
        for run in going {
            guard let slot = decider.run(run), slot.outcome == nil else { continue }
            let isItsOwn = run == exit.guilty
            let place = slot.started == nil ? "while it was launched" : isItsOwn ? "in this run's thread" : thread
            runs[run].diagnostics.appendClaim("it says that it crashed \(place): \(words)")
            // A sibling of the crashed run is only interrupted.
            guard exit.guilty == nil || isItsOwn, !report.frames.isEmpty else { continue }
            runs[run].diagnostics.appendClaim(CrashTrace(places: report.frames).sentence)
        }
    }
}
