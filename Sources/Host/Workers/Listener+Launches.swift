import Engine
import Record
import TaskModel
import Wire
import Workers

// Output of a process during its launch: often the only explanation of a failed launch.
extension Listener {
    /// The worker was not ready in its time.
    func examine(_ worker: WorkerHandle) {
        guard let record = table[worker] else { return launcher.examine(worker) }
        drainLog(of: record)
        failLaunch(of: record) { launcher.examine(worker) }
    }

    /// Runs that waited for the worker's launch and are ended by `body` get its output, and its last lines as their last
    /// diagnostics. Read its log before.
    func failLaunch(of record: WorkerRecord, by body: () -> Void) {
        guard !record.output.early.isEmpty else { return body() }
        let waiting = decider.runs(of: record.handle)
        body()
        let ended = waiting.filter { run in
            decider.run(run).map { $0.outcome != nil && $0.started == nil } ?? false
        }
        guard !ended.isEmpty else { return }
        for run in ended {
            for line in record.output.early.lastLines { runs[run].diagnostics.appendClaim("it printed: \(line)") }
        }
        giveEarlyOutput(of: record, to: ended)
    }

    /// The worker's output so far belongs to these runs, all of it to each: it was launched for all of them.
    func giveEarlyOutput(of record: WorkerRecord, to targets: [RunHandle]) {
        let early = record.output.early
        for run in targets {
            guard let slot = decider.run(run) else { continue }
            record.output.early = OutputEnds()
            var target = OutputTarget(run: run, id: slot.id, kept: runs[run].printed, isMidLine: runs[run].isMidLine)
            for piece in early.head { keep(piece.bytes[...], piece.mark, of: &target) }
            if early.dropped > 0 {
                let remark = "\ntaskhost: \(early.dropped) bytes are left out here\n"
                let mark = LogMark(.host, at: decider.now.time)
                keep(Array(remark.utf8)[...], mark, of: &target)
                runs.drop(early.dropped, mark, of: slot.id)
            }
            for piece in early.tail { keep(piece.bytes[...], piece.mark, of: &target) }
            runs[run].printed = target.kept
            runs[run].isMidLine = target.isMidLine
            if record.output.printing?.run == run { record.output.printing = target }
        }
    }

    /// Output of an ended worker that never had a run goes to the journal: its last lines.
    func noteUnheard(of record: WorkerRecord) {
        // What was made ahead and served no run has said it for nobody: the run's own process says it again.
        guard !record.output.early.isEmpty, !record.isUnused else { return }
        announcer.note(
            .processPrinted, installed.name(of: record.application),
            record.output.early.lastLines.joined(separator: "\n"))
    }
}
