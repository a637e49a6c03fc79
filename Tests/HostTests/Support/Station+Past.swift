import Foundation
import Linux
import Record
import Store
import TaskModel
import TestSupport

extension Station {
    /// Writes runs of a task that succeeded into its record, before any host has it: an hour apart, the last one an hour ago.
    func plant(
        _ count: Int, of task: String, application: String, took wall: TimeSpan, used memory: ByteCount = .mebibytes(20)
    ) throws {
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        let store = try Store(path: state + "/taskhost.db")
        let row = try store.taskRow(identifier: task, application: application)
        let now = Clock.moment().time
        var record = TurnRecord(turn: 1)
        for number in 0..<count {
            let start = now - .seconds(Int64(count - number) * 3600)
            let id = ULID(at: start, random: (0, UInt64(number)))
            record.append(
                .runBegan(
                    RunStart(id: id, task: row, attempt: 1, submittedAt: start, startedAt: start, origin: .schedule),
                    waits: []))
            let figures = RunFigures(wallTime: wall, cpuTime: .milliseconds(10), peakMemory: memory)
            record.append(
                .runEnded(
                    RunEnd(
                        id: id, outcome: .succeeded, startedAt: start, endedAt: start + wall, figures: figures),
                    RunEvents()))
        }
        try store.write(record)
    }
}
