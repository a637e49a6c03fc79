import Foundation
import Linux
import Record
import Store
import TaskModel
import TestSupport
import Testing
@testable import Host
@testable import Setting

@Suite("Old runs while a host serves")
struct PruningTests {
    /// Looks at the record after each turn.
    private final class Watch: EventSource {
        unowned let host: HostUnderTest
        var counts: [Int] = []
        var afterTurn: () -> Void = {}

        init(_ host: HostUnderTest) { self.host = host }
        func attach(to registry: any SourceRegistry) {}
        func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}
        func afterCommit(at now: ClockReading) -> Bool {
            // The record is the host's alone while it serves.
            let database = (host.keeper.store as? Store)?.database
            counts.append(Int((try? database?.integer("SELECT count(*) FROM runs")) ?? -1))
            afterTurn()
            return false
        }
        func close() {}

        /// By how much each turn but the first shortened the record.
        var steps: [Int] { zip(counts, counts.dropFirst()).map { $0 - $1 } }
    }

    private static let runs = 2_000
    private static let kept = 10

    private func host(_ folder: TestSupport.Folder) throws -> (HostUnderTest, Watch) {
        var configuration = HostConfiguration()
        configuration.retentionCount = Self.kept
        do {
            // The folder and its record are a host's to make.
            let first = try HostUnderTest(stateFolder: folder.file("state").path, configuration: configuration)
            try first.close()
        }
        try Self.fill(folder)
        let host = try HostUnderTest(stateFolder: folder.file("state").path, configuration: configuration)
        let watch = Watch(host)
        try host.add(watch)
        // The first turn looks for old runs; something has to make it.
        host.afterCommit {}
        return (host, watch)
    }

    /// Old runs in the record, which no host may have open meanwhile.
    private static func fill(_ folder: TestSupport.Folder) throws {
        let store = try Store(path: folder.file("state/taskhost.db").path)
        let task = try store.taskRow(identifier: "com.example.old", application: "com.example")
        for number in 0..<runs {
            let moment = Timestamp(nanoseconds: 1_772_366_400_000_000_000 + Int64(number) * 1_000_000)
            let id = ULID(at: moment, random: (0, UInt64(number)))
            try store.insertRun(
                RunStart(id: id, task: task, attempt: 1, submittedAt: moment))
            try store.finishRun(
                RunEnd(id: id, outcome: .succeeded, endedAt: Clock.moment().time), events: Span())
        }
        try store.commit()
    }

    @Test("are forgotten in turns that are made for it, while nothing else happens")
    func idle() throws {
        let folder = try TestSupport.Folder()
        let (host, watch) = try host(folder)
        try host.run { watch.counts.last == Self.kept }
        #expect(watch.steps.allSatisfy { $0 <= PruningPace.whenIdle })
        // The last look finds nothing; then the loop sleeps.
        #expect(watch.counts.count <= Self.runs / PruningPace.whenIdle * 2 + 4, "\(watch.counts.count)")
        try host.close()
    }

    @Test("are forgotten little a turn while others have work for the loop")
    func underLoad() throws {
        let folder = try TestSupport.Folder()
        let (host, watch) = try host(folder)
        watch.afterTurn = { host.afterCommit {} }
        try host.run { watch.counts.count > 200 }
        #expect(watch.steps.allSatisfy { (0...PruningPace.underLoad).contains($0) }, "\(watch.steps)")
        #expect(watch.steps.reduce(0, +) > 100)
        watch.afterTurn = {}
        try host.close()
    }

    @Test("A turn under load forgets more than it adds, and one that is idle more")
    func pace() {
        var pace = PruningPace()
        let now = Instant(nanoseconds: 1_000_000_000)
        #expect(pace.isDue(at: now) && pace.deadline(after: now) == .distantFuture)
        pace.looked(foundAny: true, at: now)
        #expect(pace.isDue(at: now) && pace.deadline(after: now) == now + PruningPace.rest)
        #expect(pace.portion(isIdle: false, runsAdded: 100) > 100)
        #expect(pace.portion(isIdle: true, runsAdded: 0) == PruningPace.whenIdle)
        pace.looked(foundAny: false, at: now)
        #expect(!pace.isDue(at: now) && pace.deadline(after: now) == .distantFuture)
        #expect(pace.isDue(at: now + PruningPace.pause))
    }
}
