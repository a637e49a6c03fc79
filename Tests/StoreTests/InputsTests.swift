import Record
import Store
import TaskModel
import Testing

struct InputsTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    @Test func `What a run's handler got comes back, and goes with the run`() throws {
        let all = [
            RunInputs(payload: [0, 255], settings: Array("{}".utf8)), RunInputs(payload: [7]),
            RunInputs(settings: [1]), RunInputs(),
        ]
        let runs = try all.enumerated().map { number, inputs in
            let run = try store.record(Int64(number))
            try store.putInputs(of: run, inputs)
            return run
        }
        #expect(try runs.map { try store.history.inputs(of: $0) } == all)
        #expect(try store.history.inputs(of: sampleID(99)).isEmpty)
        #expect(try store.database.integer("SELECT count(*) FROM inputs") == 3, "nothing costs no row")
        _ = try store.prune(endedBefore: moment(3), keepingNewest: 9, limit: 9)
        #expect(try store.database.integer("SELECT count(*) FROM inputs") == 1)
    }
}
