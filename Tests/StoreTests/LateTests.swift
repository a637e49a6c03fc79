import Glibc
import Record
import Store
import TaskModel
import TestSupport
import Testing

/// The double of a store that is slower than a disk, in front of the one that writes a file.
struct LateTests {
    let folder: TemporaryFolder
    let store: Store
    private let task: Int64

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
        task = try store.taskRow(identifier: "com.example.feeds.refresh", application: "com.example.feeds")
    }

    /// A turn in which one run begins.
    private func turn(_ number: UInt64) -> TurnRecord {
        var record = TurnRecord(turn: number)
        record.append(
            .runBegan(
                RunStart(id: sampleID(Int64(number)), task: task, attempt: 1, submittedAt: moment(Int64(number))),
                waits: []))
        return record
    }

    /// What another process finds.
    private func found() throws -> Int { try History(path: folder.database).runs(limit: 100).count }

    private func isReadable(_ store: LateStore) throws -> Bool {
        var place = pollfd(fd: try #require(store.durabilityDescriptor), events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, 0) == 1
    }

    @Test func `A file's turns are durable at once`() throws {
        #expect(store.durableTurn == 0 && store.durabilityDescriptor == nil)
        for number in 1...3 as ClosedRange<UInt64> {
            try store.write(turn(number))
            #expect(store.durableTurn == number)
            #expect(try found() == Int(number))
        }
        try store.write(TurnRecord(turn: 9))
        #expect(store.durableTurn == 9)
    }

    @Test func `Turns that are written out of order are durable in their order`() throws {
        let calls = [3, 1, 0, 5, 0]
        let late = try LateStore(store) { .done(after: calls[Int($0) - 1]) }
        for number in 1...5 as ClosedRange<UInt64> { try late.write(turn(number)) }
        var told: [UInt64] = []
        var kept: [Int] = []
        while late.isBehind {
            #expect(try isReadable(late))
            try late.settle()
            told.append(late.durableTurn)
            kept.append(try found())
        }
        #expect(kept == [0, 0, 3, 3, 5, 5])
        #expect(told == [0, 0, 0, 3, 3, 5])
        #expect(try !isReadable(late))
    }

    @Test func `Without a delay a turn is durable when it is written, unless an earlier one is not`() throws {
        let late = try LateStore(store) { .done(after: $0 == 2 ? 1 : 0) }
        try late.write(turn(1))
        #expect(late.durableTurn == 1)
        try late.write(turn(2))
        try late.write(turn(3))
        #expect(late.durableTurn == 1)
        try late.settle()
        try late.settle()
        #expect(late.durableTurn == 3)
    }

    @Test func `A turn that never becomes durable holds up those after it, and causes no wake-up`() throws {
        let late = try LateStore(store) { $0 == 2 ? .never : .done(after: 0) }
        for number in 1...4 as ClosedRange<UInt64> { try late.write(turn(number)) }
        for _ in 0..<100 { try late.settle() }
        #expect(late.durableTurn == 1 && late.isBehind && !late.isBusy)
        #expect(try found() == 1)
        #expect(try !isReadable(late))
    }

    @Test(arguments: [0, 2]) func `A turn that breaks in its middle leaves nothing of itself`(calls: Int) throws {
        let late = try LateStore(store) { $0 == 2 ? .broken : .done(after: calls) }
        try late.write(turn(1))
        var second = turn(2)
        second.append(.journal(JournalEntry(at: moment(), kind: .hostStarted, subject: "", text: "")))
        let error = #expect(throws: StoreError.self) {
            try late.write(second)
            while true { try late.settle() }
        }
        let fault = try #require(error)
        #expect(fault.kind == .broken)
        #expect(throws: fault) { try late.write(turn(3)) }
        #expect(throws: fault) { try late.settle() }
        #expect(try found() == 1)
        #expect(try History(path: folder.database).journal(limit: 9).isEmpty)
    }
}
