import Foundation
import Record
import Store
import TaskModel
import TestSupport

/// A state folder with runs whose times are made up: they succeed after a second, unless their ends are given.
enum MadeRuns {
    static func folder(
        _ starts: [Timestamp], of task: String = "com.example.notes.export", application: String = "com.example.notes",
        end: (Int) -> (outcome: Outcome, figures: RunFigures) = { _ in (.succeeded, RunFigures(wallTime: .seconds(1))) }
    ) throws -> Folder {
        let folder = try Folder()
        try FileManager.default.createDirectory(
            at: folder.file("state"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let store = try Store(path: folder.file("state/taskhost.db").path)
        let row = try store.taskRow(identifier: task, application: application)
        var record = TurnRecord(turn: 1)
        for (number, start) in starts.enumerated() {
            let id = ULID(at: start, random: (0, UInt64(number)))
            record.append(
                .runBegan(RunStart(id: id, task: row, attempt: 1, submittedAt: start, startedAt: start), waits: []))
            let (outcome, figures) = end(number)
            record.append(
                .runEnded(
                    RunEnd(
                        id: id, outcome: outcome, reason: nil, startedAt: start,
                        endedAt: start + (figures.wallTime ?? .seconds(1)), figures: figures), RunEvents()))
        }
        try store.write(record)
        return folder
    }
}
