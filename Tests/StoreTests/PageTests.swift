import Record
import Store
import TaskModel
import TestSupport
import Testing

@Suite("The past in pages")
struct PageTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    /// All pages of a list.
    private func all<Element, Place>(
        _ page: (Place?) throws -> Page<Element, Place>
    ) throws -> (elements: [Element], pages: Int) {
        var elements: [Element] = []
        var before: Place?
        var pages = 0
        repeat {
            let next = try page(before)
            elements += next.elements
            before = next.next
            pages += 1
        } while before != nil
        return (elements, pages)
    }

    @Test("give every run once, newest first, whatever the page's size")
    func runs() throws {
        for number in 0..<7 { try store.record(Int64(number)) }
        let expected = try store.history.runs(limit: 100)
        for size in [1, 2, 3, 7, 8] {
            let (runs, pages) = try all { try store.history.runs(of: nil, before: $0, limit: size) }
            #expect(runs == expected && pages == 7 / size + 1, "pages of \(size)")
        }
    }

    @Test("of a task or an application pass over others' runs, in as many looks as it takes")
    func ofTasks() throws {
        var expected: [ULID] = []
        for number in 0..<Int64(2 * History.scanned) {
            let isOwn = number % 3000 == 0
            let run = try store.admit(
                number, identifier: isOwn ? "com.example.own.\(number)" : "com.example.other",
                application: isOwn ? "com.example.own" : "com.example.other")
            if isOwn { expected.insert(run, at: 0) }
        }
        let rows = try store.history.taskRows(named: "com.example.own")
        #expect(rows.count == 3)
        let (runs, pages) = try all { try store.history.runs(of: rows, before: $0, limit: 2) }
        #expect(runs.map(\.id) == expected && pages == 2)
        let one = try store.history.taskRows(named: "com.example.own.3000")
        #expect(try store.history.runs(of: one, before: nil, limit: 9).elements.map(\.id) == [expected[1]])
        #expect(try store.history.taskRows(named: "com.example.nobody").isEmpty)
        #expect(try store.history.runs(of: [], before: nil, limit: 9).elements.isEmpty)
    }

    @Test("of the journal and the device's log join to the whole")
    func lines() throws {
        for number in 0..<10 {
            try store.journal(kind: .opened, subject: "\(number)", text: "", at: moment(Int64(number)))
            try store.putDevice([(.battery, "\(number)")], at: moment(Int64(number)))
        }
        let journal = try all { try store.history.journal(before: $0, limit: 3) }
        #expect(journal.elements.map(\.subject) == (0..<10).reversed().map(String.init) && journal.pages == 4)
        let log = try all { try store.history.deviceLog(before: $0, limit: 4) }
        #expect(log.elements.map(\.value) == (0..<10).reversed().map(String.init))
    }

    @Test("The journal has a bound of lines and of bytes, and what it forgets are the oldest")
    func bound() throws {
        let long = String(repeating: "x", count: 1024)
        let lines = Int(Store.maximumJournalBytes) / 2048
        for number in 0..<lines + 500 {
            try store.journal(kind: .opened, subject: long, text: long, at: moment(Int64(number)))
        }
        #expect(try store.database.integer("SELECT count(*) FROM journal") == Int64(lines))
        #expect(try store.history.journal(limit: 1).first?.at == moment(Int64(lines + 499)))
        for number in 0..<Store.maximumJournal + lines {
            try store.journal(kind: .opened, subject: "", text: "", at: moment(Int64(number)))
        }
        #expect(try store.database.integer("SELECT count(*) FROM journal") == Int64(Store.maximumJournal))
        // What retention forgets is not counted twice.
        _ = try store.prune(endedBefore: moment(1_000_000), keepingNewest: 10, limit: 50_000)
        for number in 0..<20 { try store.journal(kind: .opened, subject: "", text: "", at: moment(Int64(number))) }
        #expect(try store.database.integer("SELECT count(*) FROM journal") == 20)
    }
}
