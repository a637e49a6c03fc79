import Fleet
import Linux
import Record
import TaskModel
import TestSupport
import Testing

/// What `PostgresClaims` has beside the contract: how it looks for its server, and what it does when that stands still.
@Suite("Claims in PostgreSQL")
struct PostgresClaimsTests {
    private static let task = "com.example.feeds.refresh"

    private static var member: FleetMember {
        FleetMember(
            name: "lonely", identity: HostID(high: 1, low: 2), boot: "00000000-0000-4000-8000-000000000001",
            version: "1", labels: [:], lease: .seconds(30))
    }

    @Test("look for addresses by another process, and begin anew when no answer comes")
    func names() throws {
        var asked: [[String]] = []
        var answer: (([String: [NetworkAddress]]) -> Void)?
        var faults: [String] = []
        var ahead = TimeSpan.zero
        let claims = try PostgresClaims(
            ConnectionOptions("host=db.invalid port=1 dbname=jobs"), as: Self.member,
            resolve: { names, then in
                asked.append(names)
                answer = then
            }, clock: { Clock.moment().instant + ahead })
        claims.report = { if let fault = $0 { faults.append(fault) } }
        let loop = try TestLoop(claims)
        try loop.run(until: { asked.count == 2 })
        // Both connections asked; nobody answers.
        #expect(asked == [["db.invalid"], ["db.invalid"]] && faults.isEmpty)
        ahead = .seconds(11)
        loop.ahead = ahead
        try loop.run(until: { !faults.isEmpty })
        #expect(faults.first?.contains("could not be reached in 10 s") == true, "\(faults)")
        ahead = ahead + .seconds(60)
        loop.ahead = ahead
        try loop.run(until: { asked.count == 4 })
        // An answer, and nobody listens there.
        answer?(["db.invalid": [try #require(NetworkAddress("127.0.0.1"))]])
        #expect(try loop.run(until: { claims.nextDeadline < .distantFuture && asked.count == 4 }))
        #expect(claims.takeEvent() == nil && !claims.isReached)
        claims.close()
    }

    @Test("tell that their server stands still, and go on when it does")
    func silence() throws {
        let fleet = try PostgresFleet(lease: .seconds(30), server: PrivatePostgres())
        let host = try fleet.join()
        host.store.submit(ULID(high: 7, low: 1), TaskRequest(identifier: Self.task, kind: .processing))
        #expect(try fleet.events(of: host) == [.submitted(ULID(high: 7, low: 1))])
        try fleet.server.stop()
        host.store.renew([])
        // Its patience is ten seconds.
        fleet.skip(.seconds(11))
        #expect(try fleet.event(of: host) == .outOfReach)
        try fleet.server.goOn()
        fleet.skip(.seconds(30))
        #expect(try fleet.event(of: host) == .reached)
        host.store.claim(ClaimWish([Self.task], most: 1))
        guard case .claimed(let claim)? = try fleet.event(of: host) else { throw Problem("nothing was claimed") }
        #expect(claim.token == ClaimToken(key: ULID(high: 7, low: 1), number: 1))
    }

    @Test("join anew when their database has forgotten them")
    func strangers() throws {
        let fleet = try PostgresFleet(lease: .seconds(30))
        let host = try fleet.join()
        _ = try fleet.query("DELETE FROM taskhost.host")
        fleet.skip(.seconds(40))
        #expect(try fleet.event(of: host) == .outOfReach)
        fleet.skip(.seconds(40))
        #expect(try fleet.event(of: host) == .reached)
        #expect(try fleet.query("SELECT count(*) FROM taskhost.hosts WHERE state = 'live'") == "1")
    }

    /// A host that has claimed so many requests.
    private func claims(_ count: Int, _ fleet: PostgresFleet) throws -> (host: any FleetHost, tokens: [ClaimToken]) {
        let host = try fleet.join()
        for number in 1...count {
            let request = TaskRequest(identifier: Self.task, kind: .processing)
            host.store.submit(ULID(high: 7, low: UInt64(number)), request)
        }
        _ = try fleet.events(of: host)
        host.store.claim(ClaimWish([Self.task], most: count))
        let tokens = try fleet.events(of: host).compactMap { event in
            if case .claimed(let claim) = event { claim.token } else { nil }
        }
        guard tokens.count == count else { throw Problem("\(tokens.count) of \(count) were claimed") }
        return (host, tokens)
    }

    @Test("have one commit for ends of one time")
    func sharedCommit() throws {
        let fleet = try PostgresFleet(lease: .seconds(30))
        let (host, tokens) = try claims(100, fleet)
        for token in tokens { host.store.complete(token, .ended(.succeeded)) }
        #expect(try fleet.events(of: host) == tokens.map { .completed($0, isAccepted: true) })
        // 64 share one.
        #expect(try fleet.query("SELECT count(*), count(DISTINCT xmin::text) FROM taskhost.run") == "100|2")
    }

    @Test("keep the other ends of a transaction in which one is refused")
    func refusedEnd() throws {
        let fleet = try PostgresFleet(lease: .seconds(30))
        let (host, tokens) = try claims(8, fleet)
        let third = try fleet.query("SELECT key FROM taskhost.request ORDER BY key OFFSET 2 LIMIT 1")
        _ = try fleet.query(
            """
            CREATE FUNCTION taskhost.spoil() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN RAISE EXCEPTION ''spoiled'' USING ERRCODE = ''22023''; END';
            CREATE TRIGGER spoil BEFORE INSERT ON taskhost.run FOR EACH ROW WHEN (NEW.key = '\(third)')
                EXECUTE FUNCTION taskhost.spoil()
            """)
        for token in tokens { host.store.complete(token, .ended(.succeeded)) }
        #expect(
            try fleet.events(of: host)
                == tokens.map { .completed($0, isAccepted: $0.key != ULID(high: 7, low: 3)) })
        #expect(try fleet.query("SELECT count(*) FROM taskhost.run WHERE accepted") == "7")
    }

    @Test("do not give back a request whose end was told before the host stopped")
    func lastEnds() throws {
        let fleet = try PostgresFleet(lease: .seconds(30))
        let (host, tokens) = try claims(8, fleet)
        for token in tokens { host.store.complete(token, .ended(.succeeded)) }
        try #require(host as? PostgresFleet.Host).claims.close()
        #expect(try fleet.query("SELECT count(*) FROM taskhost.run WHERE accepted") == "8")
    }

    @Test("refuse a payload that no handler can have, and the request has ended")
    func largePayload() throws {
        let fleet = try PostgresFleet(lease: .seconds(30))
        let host = try fleet.join()
        let most = TaskRequest.maximumPayload
        for (size, answer) in [(most, "1"), (most + 1, "TH003")] {
            let made = try fleet.query(
                """
                DO $$ BEGIN PERFORM taskhost.submit('\(Self.task)', decode(repeat('00', \(size)), 'hex'));
                EXCEPTION WHEN OTHERS THEN CREATE TABLE refused AS SELECT SQLSTATE AS code; END $$;
                SELECT count(*) FROM taskhost.request
                """)
            #expect(made == "1", "\(size)")
            if answer == "TH003" { #expect(try fleet.query("SELECT code FROM refused") == answer) }
        }
        // One of before.
        _ = try fleet.query("UPDATE taskhost.request SET payload = payload || '\\x00'")
        host.store.claim(ClaimWish([Self.task], most: 1))
        let events = try fleet.events(of: host)
        guard case .completed(_, isAccepted: true)? = events.first, events.count == 1 else {
            throw Problem("\(events)")
        }
        #expect(try fleet.query("SELECT outcome FROM taskhost.run") == "refused")
    }

    @Test("ask again for rollouts that their host could not take, and not for those that it has")
    func rolloutsAgain() throws {
        let fleet = try PostgresFleet(lease: .seconds(30))
        let host = try fleet.join()
        var (given, isWritable) = ([[FleetManifest]](), false)
        try #require(host as? PostgresFleet.Host).claims.rolledOut = {
            given.append($0)
            return isWritable
        }
        let manifest = FleetManifest(application: "com.example.feeds", text: "{}")
        _ = try fleet.query("SELECT taskhost.roll_out('com.example.feeds', '{}', 100)")
        // It says half a lease later at most that it lives, and hears of changes then.
        func signs() throws -> Int {
            fleet.skip(.seconds(16))
            _ = try fleet.events(of: host)
            return given.count
        }
        #expect(try signs() == 1)
        isWritable = true
        for _ in 0..<3 { #expect(try signs() == 1) }
        #expect(try signs() == 2)
        for _ in 0..<5 { #expect(try signs() == 2) }
        #expect(given == [[manifest], [manifest]])
    }
}
