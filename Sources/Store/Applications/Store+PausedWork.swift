package import Record
package import TaskModel

// Work that the user holds back.
extension Store {
    func putPause(_ pause: WorkPause, of work: PausedWork) throws(StoreError) {
        try put(world.putPause, Int64(work.level), work.name, pause.since, pause.until)
    }

    func endPause(of work: PausedWork) throws(StoreError) {
        try put(world.endPause, Int64(work.level), work.name)
    }
}

extension History {
    /// The pauses in force. A level that only a later version knows is left alone.
    package func pausedWork() throws(StoreError) -> [PausedWork: WorkPause] {
        let row = try Statement(
            database, "SELECT \(PausedColumn.list) FROM paused_work", what: "read what is paused")
        var pauses: [PausedWork: WorkPause] = [:]
        while try row.next() {
            guard let level = UInt8(exactly: row.integer(PausedColumn.level)), let name = row.text(PausedColumn.name),
                let work = PausedWork(level: level, name: name)
            else { continue }
            pauses[work] = WorkPause(
                since: Timestamp(nanoseconds: row.integer(PausedColumn.since)),
                until: row.optionalInteger(PausedColumn.until).map(Timestamp.init(nanoseconds:)))
        }
        return pauses
    }
}

/// Columns of work that the user holds back.
enum PausedColumn: Int32, RowColumn {
    case level, name, since, until
}
