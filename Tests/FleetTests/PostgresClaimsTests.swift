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
}
