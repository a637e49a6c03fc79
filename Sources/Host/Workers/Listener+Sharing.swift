import Engine
import TaskModel
import Workers

// Output of a process with several runs in progress: its origin is unknown, and the logs say so.
extension Listener {
    /// Call it before output is kept: writes to the log that gets it which other runs may have printed it, and to the logs
    /// of those where it is. Only when that changes, and only when there is output.
    func markSharing(_ target: inout OutputTarget, of record: WorkerRecord) {
        let isElsewhere = decider.knows(target.run) && runs[target.run].isElsewhere
        guard decider.runCount(of: record.handle) > 1 || !target.others.isEmpty || isElsewhere else { return }
        let others = decider.runs(of: record.handle).filter {
            $0 != target.run && decider.run($0)?.isActive == true
        }
        if others != target.others {
            target.others = others
            say(
                others.isEmpty ? "only this run prints from here on" : "\(names(others)) may have printed this as well",
                &target)
        } else if isElsewhere {
            say("the process's output is in this log again", &target)
        }
        if isElsewhere { runs[target.run].isElsewhere = false }
        for other in others where !runs[other].isElsewhere {
            guard let id = decider.id(of: other) else { continue }
            runs[other].isElsewhere = true
            var place = OutputTarget(
                run: other, id: id, kept: runs[other].printed, isMidLine: runs[other].isMidLine)
            say("from here on the process's output is in the log of \(names([target.run]))", &place)
            runs[other].printed = place.kept
            runs[other].isMidLine = place.isMidLine
        }
    }

    private func say(_ sentence: String, _ target: inout OutputTarget) {
        let line = (target.isMidLine ? "\n" : "") + "taskhost: \(sentence)\n"
        keep(Array(line.utf8)[...], LogMark(.host, at: decider.now.time), of: &target)
    }

    private static let mostNamed = 4

    private func names(_ list: [RunHandle]) -> String {
        let words = list.prefix(Self.mostNamed).map { run in
            "\(runs.identifier(of: run) ?? "a run") (\(decider.id(of: run)?.description ?? "ended"))"
        }
        let rest = list.count - words.count
        return words.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
