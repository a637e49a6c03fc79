package import Record

extension RecordStore {
    /// The number of a task; a new one is written as a turn of its own.
    package func taskRow(identifier: String, application: String) throws(StoreError) -> Int64 {
        var names = try RecordNames(from: reader)
        let row = try names.task(TaskName(identifier, of: application), in: reader)
        var turn = TurnRecord(turn: durableTurn + 1)
        for name in names.takeNew() { turn.append(name) }
        if !turn.isEmpty { try write(turn) }
        return row
    }
}
