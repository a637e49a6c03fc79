import Record
import Store
import TaskModel
import TestSupport
import Testing

/// A bit that flips on the disk is found, or changes no answer.
struct PageSumTests {
    private static let pageSize = 4096

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(isVolatile: true) }

    /// Runs, a request that waits and one that runs, and all the rest, in the file alone: its log is empty.
    private func record() throws {
        let store = try Store(path: folder.database)
        for number: Int64 in 0..<5 { try store.record(number) }
        try store.append(sampleID(1), Array("a line of output\n".utf8))
        try store.admit(9)
        try store.putRequest(try store.sampleRequest(submitted: 1))
        let running = try store.sampleRequest("com.example.feeds.other", submitted: 2)
        try store.putRequest(running)
        try store.markRequestRunning(identity: running.identity, submitted: running.submitted, run: sampleID(2))
        _ = try store.applicationRow("com.example.feeds")
        try store.journal(kind: .hostStarted, subject: "", text: "", at: moment())
        try store.putDevice([(.power, "battery")], at: moment())
        try store.commit()
        try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private struct Answer: Equatable {
        var texts: [String] = []
        /// Something was said: an error, or a part that cannot be trusted.
        var isFaulty = false
    }

    /// What a verb reads, as text.
    private func answer() -> Answer {
        var answer = Answer()
        do {
            let history = try History(path: folder.database)
            let runs = try history.runs(matching: RunFilter(), before: nil, limit: 99)
            answer.texts += runs.elements.map { "\($0)" }
            answer.texts += try history.lastRuns().map { "\($0)" }.sorted()
            let lines = try history.journal(before: nil, limit: 99)
            answer.texts += lines.elements.map { "\($0)" }
            let entries = try history.deviceLog(before: nil, limit: 99)
            answer.texts += entries.elements.map { "\($0)" }
            for number: Int64 in 0..<5 {
                answer.texts.append("\(String(describing: try history.run(sampleID(number))))")
                answer.texts.append(String(decoding: try history.output(of: sampleID(number)).bytes, as: UTF8.self))
            }
            try history.forEachRequest { answer.texts.append("\($0.identifier) \($0.submitted)") }
            // Of the pages that have been read until then.
            let last = try history.journal(before: nil, limit: 1)
            answer.isFaulty = ![runs.unreadable, lines.unreadable].joined().isEmpty || last.damage != nil
        } catch {
            answer.isFaulty = true
        }
        return answer
    }

    @Test func `A bit of the file that flips is found or changes no answer`() throws {
        try record()
        let whole = try TemporaryFolder.bytes(of: folder.database)
        let right = answer()
        #expect(!right.isFaulty && right.texts.count > 10)
        // Where something is, and some of what is empty.
        let places = whole.indices.filter { whole[$0] != 0 } + whole.indices.filter { whole[$0] == 0 && $0 % 61 == 0 }
        var found = 0
        for place in Sample.draw(places, most: 600, "bits of a record") {
            let bit = UInt8(1) << UInt8(truncatingIfNeeded: place % 8)
            try folder.write([whole[place] ^ bit], at: place)
            let now = answer()
            #expect(now.isFaulty || now == right, "bit \(place % 8) of byte \(place)")
            if now.isFaulty { found += 1 }
            try folder.write([whole[place]], at: place)
        }
        #expect(found > 50)
        #expect(answer() == right)
    }

    /// A trap would end the test process.
    @Test func `With a bit of the file flipped a host continues, or refuses with a sentence`() throws {
        try record()
        let whole = try TemporaryFolder.bytes(of: folder.database)
        let places = whole.indices.filter { whole[$0] != 0 }
        for place in Sample.draw(places, most: 100, "bits of a host's record") {
            var flipped = whole
            flipped[place] ^= UInt8(1) << UInt8(truncatingIfNeeded: place % 7 + 1)
            let other = try TemporaryFolder(isVolatile: true)
            try other.write(flipped)
            do {
                let store = try Store(path: other.database)
                try store.reader.forEachOpenTransfer { _ in }
                _ = try store.reader.applications()
                try store.recover(at: moment(20))
                try store.record(30)
                try store.commit()
                _ = store.takeRowFaults()
            } catch is StoreError {
                continue
            }
        }
    }

    @Test func `A page that is not as the host wrote it is reported once, and everything else continues`() throws {
        try record()
        let place = try #require(
            try TemporaryFolder.bytes(of: folder.database).firstRange(of: Array("com.example.feeds.refresh".utf8))
        ).lowerBound
        try folder.write([UInt8(ascii: "d")], at: place)
        let store = try Store(path: folder.database)
        let page = place / Self.pageSize + 1
        let runs = try store.history.runs(matching: RunFilter(), before: nil, limit: 99)
        #expect(runs.elements.count == 6)
        #expect(runs.damage?.contains("page \(page) of the record") == true)
        let faults = store.takeRowFaults()
        #expect(faults.count == 1 && faults[0].sentence.contains("page \(page) "), "\(faults)")
        #expect(store.takeRowFaults().isEmpty)
        try store.record(30)
        try store.commit()
    }

    @Test func `A record of before has no sums, and nothing is said against it`() throws {
        let database = try Database(path: folder.database, access: .readWrite)
        try database.execute("PRAGMA application_id = \(RecordSchema.applicationID)")
        let store = try Store(path: folder.database)
        try store.record(1)
        try store.commit()
        try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(!store.hasSums)
        #expect(!answer().isFaulty)
    }

    @Test func `A copy has sums as its source has`() throws {
        try record()
        let history = try History(path: folder.database)
        let copy = folder.path + "/copy.db"
        let copying = try history.copy(to: copy)
        while try !copying.copy(pages: 3) {}
        let whole = try TemporaryFolder.bytes(of: copy)
        for start in stride(from: 0, to: whole.count, by: Self.pageSize) {
            let page = whole[start..<start + Self.pageSize]
            #expect(
                page.suffix(8).contains { $0 != 0 } || page.allSatisfy { $0 == 0 }, "page \(start / Self.pageSize + 1)")
        }
        let read = try History(path: copy).runs(matching: RunFilter(), before: nil, limit: 99)
        #expect(read.elements.count == 6 && read.damage == nil)
    }
}
