import Engine
import Foundation
import JSON
import Linux
import Record
import Scheduling
import TaskModel
import TestSupport
import Testing
@testable import Host
@testable import Serving
@testable import Setting

/// A host that works on the requests of its fleet, with processes.
@Suite("A host in a fleet")
struct FleetTests {
    @Test("runs what it claims once, with its payload, and the fleet has its end")
    func once() throws {
        let bench = try FleetBench()
        let key = bench.share("noop") { $0.payload = Array("hello".utf8) }
        try bench.run { bench.state(of: key) == .ended(.succeeded) }
        let runs = try bench.runs("noop")
        #expect(runs.map(\.outcome) == [.succeeded])
        #expect(bench.table.rows[key]?.number == 1 && bench.table.superseded == 0)
        try bench.run { try bench.fleet.ledger.unansweredCount == 0 }
        #expect(try bench.fleet.figures.claimed == 1 && bench.fleet.figures.ended == 1 && bench.fleet.count == 0)
        #expect(try bench.recorded().isEmpty)
        try bench.close()
    }

    @Test("runs two requests of one identifier one after the other")
    func queue() throws {
        let bench = try FleetBench()
        let keys = [bench.share("noop"), bench.share("noop"), bench.share("noop")]
        try bench.run { keys.allSatisfy { bench.state(of: $0) == .ended(.succeeded) } }
        let runs = try bench.runs("noop")
        #expect(runs.count == 3)
        for (first, second) in zip(runs, runs.dropFirst()) {
            #expect(try #require(first.endedAt) <= #require(second.startedAt))
        }
        try bench.close()
    }

    @Test("a run knows its claim, and neither the record nor a request of the host's own is in its way")
    func beside() throws {
        let bench = try FleetBench()
        let key = bench.share("waits")
        try bench.run { bench.isWaiting() }
        let run = try #require(bench.host.runs.active(of: FleetBench.task("waits")).first)
        #expect(bench.host.runs[run].claim == ClaimToken(key: key, number: 1))
        #expect(try bench.recorded().isEmpty)
        try submit("waits", to: bench)
        try bench.run { bench.host.runs.active(of: FleetBench.task("waits")).count == 2 }
        try bench.run { try bench.recorded() == [FleetBench.task("waits")] }
        bench.openGate()
        bench.openGate()
        try bench.run { bench.state(of: key) == .ended(.succeeded) }
        try bench.run { try bench.recorded().isEmpty }
        try bench.close()
    }

    @Test("a library's handler knows its claim, and that a request of the host's own has none")
    func claim() throws {
        let bench = try FleetBench(handlers: Places.built.get().appending(path: "libclaimed.so").path)
        let key = bench.share("tell")
        try bench.run { bench.state(of: key) == .ended(.succeeded) }
        try submit("tell", to: bench)
        try bench.run { try bench.runs("tell").count { $0.outcome == .succeeded } == 2 }
        let texts = try bench.runs("tell").map { String(decoding: bench.host.output(of: $0.id), as: UTF8.self) }
        #expect(texts == ["\(key) 1 0\n", "none 0 0\n"])
        try bench.close()
    }

    private func submit(_ word: String, to bench: FleetBench) throws {
        var terms = RequestTerms()
        terms.origin = .person
        let request = TaskRequest(identifier: FleetBench.task(word), kind: .processing, terms: terms)
        _ = try bench.host.requests.submit(request, application: nil)
    }

    // MARK: Leases

    @Test("renews its leases, and a run whose lease is lost ends with that reason")
    func lost() throws {
        let bench = try FleetBench()
        let key = bench.share("waits")
        try bench.run { bench.isWaiting() }
        for _ in 0..<9 { try bench.pass(.seconds(10)) }
        let token = ClaimToken(key: key, number: 1)
        #expect(try bench.table.protects(token) && bench.fleet.ledger.holds(token))
        bench.table.cancel(key)
        try bench.pass(.seconds(10))
        try bench.run { try bench.runs("waits").contains { $0.outcome != nil } }
        #expect(try bench.runs("waits").map(\.reason) == [.leaseLost])
        #expect(try bench.fleet.figures.lost == 1 && bench.table.superseded == 0)
        #expect(bench.state(of: key) == .ended(.cancelled))
        #expect(try bench.recorded().isEmpty && bench.host.decider.pendingRequests(of: nil).isEmpty)
        try bench.close()
    }

    @Test("without a renewal a run ends before its lease does")
    func fenced() throws {
        let bench = try FleetBench()
        let key = bench.share("waits")
        try bench.run { bench.isWaiting() }
        bench.store.cut(for: .minutes(60))
        try bench.pass(.seconds(23))
        #expect(try bench.isWaiting() && bench.fleet.unreachedSince != nil)
        try bench.pass(.seconds(1))
        try bench.run { try bench.runs("waits").contains { $0.outcome != nil } }
        #expect(try bench.runs("waits").map(\.reason) == [.leaseLost])
        #expect(bench.table.protects(ClaimToken(key: key, number: 1)), "it ended too late")
        try bench.close()
    }

    @Test("out of reach, its own work and the fleet's go on, and the end is told when the fleet is there again")
    func unreached() throws {
        let bench = try FleetBench()
        let key = bench.share("waits")
        try bench.run { bench.isWaiting() }
        bench.store.cut(for: .seconds(20))
        try submit("noop", to: bench)
        try bench.run { try bench.runs("noop").contains { $0.outcome == .succeeded } }
        bench.openGate()
        try bench.run { try bench.runs("waits").contains { $0.outcome == .succeeded } }
        try bench.pass(.seconds(19))
        #expect(bench.state(of: key) == .leased(holder: bench.store.holder))
        try bench.pass(.seconds(1))
        try bench.run { bench.state(of: key) == .ended(.succeeded) }
        #expect(try bench.fleet.unreachedSince == nil)
        try bench.close()
    }

    // MARK: Back to the fleet

    @Test("a try that failed goes back with its pause, until none is left")
    func retry() throws {
        let bench = try FleetBench()
        let key = bench.share("fails")
        for attempt in 1...2 {
            try bench.run { bench.state(of: key) == .waiting && bench.table.rows[key]?.number == Int64(attempt) }
            let row = try #require(bench.table.rows[key])
            #expect(row.request.attempt == UInt32(attempt) + 1 && row.request.failures == UInt32(attempt))
            let pause = row.free - bench.table.now
            #expect(
                pause > .seconds(attempt == 1 ? 60 : 180) && pause <= .seconds(attempt == 1 ? 120 : 240), "\(pause)")
            try bench.pass(pause)
        }
        try bench.run { bench.state(of: key) == .ended(.failed) }
        #expect(try bench.runs("fails").map(\.attempt) == [1, 2, 3])
        #expect(try bench.recorded().isEmpty)
        try bench.close()
    }

    /// A store that wishes for more than its host does, until something has come back.
    private final class Greedy: ClaimStore {
        let inner: MemoryClaims
        private var last = ClaimWish.none
        private var extra: Set<String>
        init(_ inner: MemoryClaims, _ extra: Set<String>) { (self.inner, self.extra) = (inner, extra) }
        func submit(_ key: ULID, _ request: TaskRequest) { inner.submit(key, request) }
        func claim(_ wish: ClaimWish) {
            last = wish
            inner.claim(ClaimWish(wish.identifiers.union(extra), most: 8))
        }
        func renew(_ tokens: [ClaimToken]) { inner.renew(tokens) }
        func complete(_ token: ClaimToken, _ end: ClaimEnd, _ report: ClaimReport) {
            extra = []
            inner.claim(last)
            inner.complete(token, end, report)
        }
        func takeEvent() -> ClaimEvent? { inner.takeEvent() }
        var eventDescriptor: Int32? { inner.eventDescriptor }
    }

    @Test("what it does not install goes back unharmed")
    func unknown() throws {
        let identifier = FleetBench.task("unknown")
        let bench = try FleetBench(wrap: { Greedy($0, [identifier]) })
        let key = bench.share("unknown")
        try bench.run { bench.table.rows[key]?.number == 1 && bench.state(of: key) == .waiting }
        #expect(bench.table.rows[key]?.request.attempt == 1 && bench.table.rows[key]?.losses == 0)
        #expect(try bench.fleet.refused.keys.contains(identifier))
        try bench.close()
    }

    @Test("what cannot start here goes back, and is not wished for at once")
    func patience() throws {
        let bench = try FleetBench()
        try bench.fleet.patience = .zero
        let key = bench.share("noop") { $0.terms.requiresNetwork = true }
        try bench.run { bench.table.rows[key]?.number == 1 && bench.state(of: key) == .waiting }
        #expect(try bench.runs("noop").isEmpty && bench.host.decider.pendingRequests(of: nil).isEmpty)
        #expect(try !bench.fleet.wish.identifiers.contains(FleetBench.task("noop")))
        try bench.close()
    }

    @Test("why names the fleet's request that waits here, which a person cancels in the fleet")
    func waiting() throws {
        let bench = try FleetBench()
        let identifier = FleetBench.task("noop")
        let requests = bench.host.requests
        let key = bench.share("noop") { $0.terms.requiresNetwork = true }
        try bench.run { requests.pendingClaim(identifier) != nil }
        #expect(requests.pendingClaim(identifier).flatMap(requests.fleetKey) == key)
        let why = try requests.whyDocument(identifier, #require(bench.host.installed.task(named: identifier))).text()
        #expect(why.contains("it is the fleet's request \(key)") && why.contains("network"), "\(why)")
        #expect(!requests.cancel(identifier) && requests.pendingClaim(identifier) != nil)
        try bench.close()
    }

    @Test("it wishes for what its gates let through")
    func wish() throws {
        let bench = try FleetBench()
        let all = Set(["noop", "fails", "waits"].map(FleetBench.task))
        try bench.run { try bench.fleet.wish == ClaimWish(all, most: 2) }
        bench.host.pauses.pause(.task(FleetBench.task("noop")), until: nil)
        try bench.run { try bench.fleet.wish.identifiers == all.subtracting([FleetBench.task("noop")]) }
        _ = bench.host.pauses.resume(.task(FleetBench.task("noop")))
        try bench.run { try bench.fleet.wish.identifiers == all }
        // Two runs of processing are as many as there may be.
        try submit("waits", to: bench)
        _ = bench.share("waits")
        try bench.run { try bench.fleet.wish == .none }
        bench.openGate()
        try bench.run { try bench.fleet.wish.identifiers == all }
        try bench.close()
    }

    @Test("one that stops gives back what has not started, and what it interrupts")
    func stopping() throws {
        let bench = try FleetBench()
        let running = bench.share("waits")
        try bench.run { bench.isWaiting() }
        let (queued, held) = (bench.share("waits"), bench.share("noop") { $0.terms.requiresNetwork = true })
        try bench.run { try bench.fleet.count == 3 }
        bench.host.stop()
        try bench.run { bench.host.isQuiet }
        for key in [running, queued, held] {
            #expect(
                bench.state(of: key) == .waiting && bench.table.rows[key]?.free ?? .distantFuture <= bench.table.now)
        }
        #expect(bench.table.rows[queued]?.request.attempt == 1 && bench.table.rows[held]?.request.attempt == 1)
        #expect(try bench.fleet.wish == .none && bench.fleet.count == 0)
        #expect(try bench.runs("waits").map(\.reason) == [.hostStopping])
        try bench.close()
    }

    // MARK: Schedules

    @Test("a time of a schedule that is one for the fleet is shared once, by whichever host, and made up for")
    func times() throws {
        let minute: Int64 = 60_000_000_000
        let now = Clock.moment().time
        let time = Timestamp(nanoseconds: (now.nanoseconds / minute - 30) * minute)
        let (day, second) = (time.nanoseconds / 1_000_000_000).flooredDivision(by: 86_400)
        let date = CivilDate(dayNumber: day)
        let calendar = "\(second / 60 % 60) \(second / 3600) \(date.day) \(date.month) *"
        let table = ClaimTable(lease: .seconds(30))
        let folder = try TestSupport.Folder()
        for state in ["one", "two"] {
            do {
                // A schedule that is new makes up for nothing.
                let first = try FleetBench(table, in: folder, state: state, calendar: calendar)
                try first.run { try first.fleet.wish.identifiers.count == 4 }
                #expect(table.rows.count == (state == "one" ? 0 : 1))
                try first.close()
            }
            try SQLite(folder.file("\(state)/taskhost.db")).execute(
                "UPDATE tasks SET shared_time = \(now.nanoseconds - 120 * minute) WHERE identifier LIKE '%timed'")
            let bench = try FleetBench(table, in: folder, state: state, calendar: calendar)
            let row = try #require(bench.host.requests.installed.task(named: FleetBench.task("timed")))
            try bench.run {
                try bench.host.keeper.reader.sharedTime(task: bench.host.requests.installed.tasks[row].row) == time
            }
            try bench.run { table.rows.values.allSatisfy { $0.state == .ended(.succeeded) } }
            let request = try #require(table.rows.values.first).request
            #expect(table.rows.count == 1 && request.identifier == FleetBench.task("timed"))
            #expect(request.terms.earliestBeginDate == time && request.terms.origin == .schedule)
            #expect(request.payload == Array("its time".utf8))
            #expect(try bench.runs("timed").map(\.origin) == (state == "one" ? [.schedule] : []))
            #expect(bench.host.decider.pendingRequests(of: nil).isEmpty)
            try bench.close()
        }
    }

    // MARK: The record

    @Test("ends are told when the turns that recorded them are durable")
    func durable() throws {
        var late: LateStore?
        var told: [Outcome?] = []
        let bench = try FleetBench(
            openRecord: { path, makeRoom, say throws(HostError) in
                let store = try RecordOpening.open(path, makeRoom, say)
                late = try? LateStore(store) { _ in .done(after: 5) }
                return late ?? store
            },
            fate: { call in
                if case .complete = call {
                    let runs = try? late?.kept.reader.runs(matching: RunFilter(), before: nil, limit: 100).elements
                    told.append(runs?.first?.outcome)
                }
                return .done()
            })
        for _ in 0..<3 {
            let key = bench.share("noop")
            try bench.run { bench.state(of: key) == .ended(.succeeded) }
        }
        #expect(told == [.succeeded, .succeeded, .succeeded])
        try bench.close()
    }

    /// The host that starts after this one has died now.
    private func successor(of bench: FleetBench) throws -> FleetBench {
        try FileManager.default.createDirectory(at: bench.folder.file("left"), withIntermediateDirectories: true)
        for name in try bench.folder.names(in: "state") where name.hasPrefix("taskhost.db") {
            try FileManager.default.copyItem(
                at: bench.folder.file("state/\(name)"), to: bench.folder.file("left/\(name)"))
        }
        bench.store.isStopped = true
        return try FleetBench(bench.table, in: bench.folder, state: "left")
    }

    @Test(
        "an end that nobody has answered is in the record, and the next life of the host says it",
        arguments: [true, false])
    func untold(_ succeeds: Bool) throws {
        let bench = try FleetBench(fate: { $0 == .complete ? .cut(for: .minutes(60), isTaken: false) : .done() })
        let (word, outcome) = succeeds ? ("noop", Outcome.succeeded) : ("fails", .failed)
        let token = ClaimToken(key: bench.share(word), number: 1)
        try bench.run { try bench.fleet.ledger.unansweredCount == 1 && bench.fleet.unreachedSince != nil }
        #expect(bench.state(of: token.key) == .leased(holder: bench.store.holder))
        let next = try successor(of: bench)
        try next.run { next.state(of: token.key) == (succeeds ? .ended(.succeeded) : .waiting) }
        let row = try #require(next.table.rows[token.key])
        #expect(row.number == 1 && row.losses == 0 && next.table.superseded == 0)
        #expect(row.request.attempt == (succeeds ? 1 : 2) && row.free > next.table.now)
        #expect(try next.runs(word).map(\.outcome) == [outcome])
        let report = try #require(next.store.reports[token])
        #expect(report.run?.outcome == outcome && report.output == (succeeds ? Array("done\n".utf8) : []))
        try next.run { try next.fleet.ledger.unansweredCount == 0 }
        next.host.stop()
        try next.run { next.host.isQuiet }
        #expect(try next.host.keeper.store.untoldEnds().isEmpty)
        try next.close()
        try bench.close()
    }

    @Test(
        "one that is killed leaves its run in the history and no request, and another takes over when the lease has ended"
    )
    func killed() throws {
        let bench = try FleetBench()
        let key = bench.share("waits")
        let queued = bench.share("waits")
        try bench.run { try bench.isWaiting() && bench.fleet.count == 2 }
        let next = try successor(of: bench)
        #expect(try next.runs("waits").map(\.outcome) == [.interrupted])
        #expect(try next.recorded().isEmpty && next.host.decider.pendingRequests(of: nil).isEmpty)
        try next.pass(.seconds(29))
        #expect(try next.fleet.count == 0)
        try next.pass(.seconds(1))
        try next.run { next.isWaiting() }
        #expect(next.table.rows[key]?.losses == 1 && next.table.rows[key]?.number == 2)
        try bench.close()
        next.openGate()
        next.openGate()
        try next.run { next.state(of: key) == .ended(.succeeded) && next.state(of: queued) == .ended(.succeeded) }
        try next.close()
    }
}

extension TestSupport.Folder {
    fileprivate func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(name).path)
    }
}
