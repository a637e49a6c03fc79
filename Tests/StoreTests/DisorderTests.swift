import Linux
import Store
import TaskModel
import TestSupport
import Testing

/// Runs whose ids do not ascend, because the clock was set back.
struct DisorderTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    @Test("Runs are found wherever the clock was set back, also between runs, and after old ones were forgotten")
    func found() throws {
        var random = SeededGenerator(seed: 7)
        var numbers: [Int64] = []
        var clock: Int64 = 100_000
        for _ in 0..<400 {
            clock += Int64.random(in: 0...20, using: &random)
            if Int.random(in: 0..<20, using: &random) == 0 { clock -= Int64.random(in: 1...3000, using: &random) }
            while numbers.contains(clock) { clock += 1 }
            numbers.append(clock)
            try store.record(clock)
        }
        try store.commit()
        func check() throws {
            for number in numbers { #expect(try store.history.run(sampleID(number)) != nil, "\(number)") }
            for number in 0..<100 where !numbers.contains(Int64(number)) {
                #expect(try store.history.run(sampleID(Int64(number))) == nil)
            }
        }
        try check()
        #expect(try store.prune(endedBefore: moment(0), keepingNewest: 250) == 150)
        try store.commit()
        for number in numbers.prefix(150) { #expect(try store.history.run(sampleID(number)) == nil) }
        numbers.removeFirst(150)
        try check()
    }

    @Test("A run is looked up in about the same time whether the clock was set back or not")
    func time() throws {
        func fill(_ store: Store, setBack: Bool) throws -> [ULID] {
            var ids: [ULID] = []
            for number in 0..<30_000 as Range<Int64> {
                let moment = setBack && number >= 15_000 ? number - 7_500 : number
                ids.append(try store.record(moment, salt: UInt64(number)))
            }
            try store.commit()
            return ids
        }
        func time(_ store: Store, _ ids: [ULID]) throws -> Double {
            let start = processorTime
            for index in stride(from: 0, to: ids.count, by: 500) {
                #expect(try store.history.run(ids[index])?.id == ids[index])
            }
            return processorTime - start
        }
        let other = try TemporaryFolder()
        let ordered = try Store(path: other.database)
        let (plain, broken) = (try fill(ordered, setBack: false), try fill(store, setBack: true))
        let least = try (0..<5).map { _ in try time(ordered, plain) }.min() ?? 0
        let found = try (0..<5).map { _ in try time(store, broken) }.min() ?? 0
        // Twice the halving; a look at every run takes some hundred times as long.
        #expect(found < least * 10, "\(found) ns after \(least) ns")
    }
}
