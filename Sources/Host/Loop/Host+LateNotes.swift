import Engine
import Linux
import Record
import Store
import TaskModel
import Wire

/// A sentence about a run that has its outcome already.
struct LateNote {
    var sequence: Int64
    var sentence: String
}

// Notes that arrive after a run's end.
extension Host {
    /// Call before the engine hears of the completion: then the run still belongs to the worker.
    func willComplete(_ run: RunHandle, of record: WorkerRecord) {
        guard let slot = engine.run(run), slot.isActive, slot.worker(is: record.handle.index) else { return }
        record.endedRuns.append(run, sequence: slot.sequence, at: now.instant)
    }

    func noteLate(_ sentence: String, for run: RunHandle, of record: WorkerRecord) {
        guard let sequence = record.endedRuns.takeNote(for: run, at: now.instant) else { return }
        lateNotes.append(LateNote(sequence: sequence, sentence: sentence.cut(to: ServiceLimits.sentence)))
    }

    /// Notes for the run that completed last which processes it left running: they are being killed. Nobody can tell which of
    /// several runs they come from.
    func noteLeftBehind(_ names: String, by record: WorkerRecord) {
        guard let run = record.endedRuns.newest else { return }
        noteLate(
            "it left running after its completion, and the host killed: process \(names)", for: run, of: record)
    }

    /// The processes by number and name, while they live; nil: there are none.
    static func names(of processes: [Int32]) -> String? {
        guard !processes.isEmpty else { return nil }
        let words = processes.prefix(mostNamed).map { pid in
            let name = try? FileText.read("/proc/\(pid)/comm", limit: 64)
            return "\(pid)" + (name.map { " (\($0.filter { !$0.isNewline }))" } ?? "")
        }
        let rest = processes.count > words.count ? " and \(processes.count - words.count) more" : ""
        return words.joined(separator: ", ") + rest
    }

    private static let mostNamed = 4

    /// Call after the turn's ends are written: a note may be about one of them.
    func rememberLateNotes() throws(StoreError) {
        guard !lateNotes.isEmpty else { return }
        for note in lateNotes {
            // A record that keeps few runs, or whose clock was set forward, may have forgotten it: then the note is too late.
            _ = try store.addLateDiagnostics(sequence: note.sequence, [note.sentence])
        }
        lateNotes.removeAll(keepingCapacity: true)
    }
}
