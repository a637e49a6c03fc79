import Record
import TaskModel
import TestSupport
import Testing

/// What a host needs of any store of claims (CONTRIBUTING, "Add a claim store").
@Suite("Any store of claims")
struct ClaimStoreTests {
    private static let feeds = "com.example.feeds.refresh"
    private static let photos = "com.example.photos.sort"

    private static func key(_ number: UInt64) -> ULID { ULID(high: 7, low: number) }

    private static func request(_ identifier: String = feeds) -> TaskRequest {
        var terms = RequestTerms()
        terms.requiresNetwork = true
        terms.origin = .person
        var request = TaskRequest(identifier: identifier, kind: .processing, terms: terms, title: "Title")
        request.payload = [1, 2, 3]
        return request
    }

    private func claims(_ events: [ClaimEvent]) -> [Claim] {
        events.compactMap { event in
            guard case .claimed(let claim) = event else { return nil }
            return claim
        }
    }

    /// A host that wishes, the claim that it gets, and no further wish.
    private func claim(
        _ fleet: FleetUnderTest, _ request: TaskRequest = Self.request()
    ) throws -> (host: any FleetHost, claim: Claim) {
        let host = try fleet.join()
        host.store.submit(Self.key(1), request)
        host.store.claim(ClaimWish([Self.feeds], most: 1))
        let claim = try #require(claims(try fleet.events(of: host)).first)
        host.store.claim(.none)
        return (host, claim)
    }

    /// Another host that takes over when the lease has ended.
    private func takeOver(_ fleet: FleetUnderTest) throws -> (host: any FleetHost, claim: Claim) {
        let host = try fleet.join()
        host.store.claim(ClaimWish([Self.feeds], most: 1))
        #expect(try fleet.events(of: host).isEmpty)
        try fleet.pass(fleet.lease)
        return (host, try #require(claims(try fleet.events(of: host)).first))
    }

    // MARK: Requests

    @Test("keeps a request once, whoever says so how often", arguments: ClaimStoreKind.allCases)
    func submissions(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let (one, other) = (try fleet.join(), try fleet.join())
        one.store.submit(Self.key(1), Self.request())
        one.store.submit(Self.key(1), Self.request(Self.photos))
        try fleet.hear(one)
        other.store.submit(Self.key(1), Self.request(Self.photos))
        #expect(try fleet.events(of: one) == [.submitted(Self.key(1)), .submitted(Self.key(1))])
        #expect(try fleet.events(of: other) == [.submitted(Self.key(1))])
        other.store.claim(ClaimWish([Self.feeds, Self.photos], most: 9))
        let found = claims(try fleet.events(of: other))
        #expect(found.map(\.request.identifier) == [Self.feeds])
    }

    @Test("gives a request as it was submitted, without what is a host's own", arguments: ClaimStoreKind.allCases)
    func contents(_ kind: ClaimStoreKind) throws {
        var request = Self.request()
        request.identity = 12
        request.submitted = Timestamp(nanoseconds: 34)
        request.attempt = 3
        request.failures = 2
        request.running = TaskRequest.unknownRun
        let (_, claim) = try claim(try FleetUnderTest(kind), request)
        var expected = request
        (expected.identity, expected.submitted, expected.running) = (0, Timestamp(nanoseconds: 0), nil)
        #expect(claim.request == expected)
        #expect(claim.token == ClaimToken(key: Self.key(1), number: 1) && claim.losses == 0)
    }

    // MARK: Claims

    @Test("gives a request that two hosts want to one of them", arguments: ClaimStoreKind.allCases)
    func contention(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let hosts = [try fleet.join(), try fleet.join()]
        for host in hosts { host.store.claim(ClaimWish([Self.feeds], most: 3)) }
        for number in 1...5 as ClosedRange<UInt64> { hosts[0].store.submit(Self.key(number), Self.request()) }
        let found = try hosts.map { claims(try fleet.events(of: $0)).map(\.token.key) }
        #expect(Set(found[0]).isDisjoint(with: found[1]))
        #expect(found.joined().sorted() == (1...5).map(Self.key))
        #expect(found.allSatisfy { $0.count <= 3 })
    }

    @Test("gives no more than the wish says, nor of other tasks, nor after it", arguments: ClaimStoreKind.allCases)
    func wishes(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let host = try fleet.join()
        host.store.submit(Self.key(1), Self.request(Self.photos))
        for number in 2...5 as ClosedRange<UInt64> { host.store.submit(Self.key(number), Self.request()) }
        host.store.claim(ClaimWish([Self.feeds], most: 2))
        let first = claims(try fleet.events(of: host))
        // The oldest come first.
        #expect(first.map(\.token.key) == [Self.key(2), Self.key(3)])
        // One is done: there is room for another one.
        host.store.complete(try #require(first.first).token, .ended(.succeeded))
        #expect(claims(try fleet.events(of: host)).map(\.token.key) == [Self.key(4)])
        host.store.claim(.none)
        host.store.complete(first[1].token, .ended(.succeeded))
        #expect(claims(try fleet.events(of: host)).isEmpty)
        host.store.claim(ClaimWish([Self.photos], most: 2))
        #expect(claims(try fleet.events(of: host)).map(\.token.key) == [Self.key(1)])
    }

    // MARK: Leases

    @Test("keeps a lease until the end that it states, and not for long after it", arguments: ClaimStoreKind.allCases)
    func leases(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let (host, claim) = try claim(fleet)
        let other = try fleet.join()
        other.store.claim(ClaimWish([Self.feeds], most: 1))
        #expect(claim.lease == fleet.lease && claim.end > host.now)
        try fleet.pass((claim.end - host.now) - .milliseconds(1))
        #expect(other.store.takeEvent() == nil)
        try fleet.pass(.seconds(2))
        let next = try #require(claims(try fleet.events(of: other)).first)
        #expect(next.token == ClaimToken(key: Self.key(1), number: 2) && next.losses == 1)
    }

    @Test("renews all leases at once, and names each that is lost", arguments: ClaimStoreKind.allCases)
    func renewals(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let (host, lost) = try claim(fleet)
        let (other, _) = try takeOver(fleet)
        host.store.submit(Self.key(2), Self.request())
        host.store.claim(ClaimWish([Self.feeds], most: 1))
        let kept = try #require(claims(try fleet.events(of: host)).first)
        try fleet.pass(.seconds(10))
        host.store.renew([lost.token, kept.token])
        let asked = host.now
        let events = try fleet.events(of: host)
        guard case .renewed(let tokens, let end)? = events.last else {
            Issue.record("no renewal in \(events)")
            return
        }
        #expect(tokens == [kept.token] && events.dropLast() == [.leaseLost(lost.token)])
        // It counts from the call, not from its answer.
        #expect(end <= asked + fleet.lease)
        try fleet.pass(.seconds(20))
        // The own one of the other host has ended meanwhile.
        #expect(!claims(try fleet.events(of: other)).map(\.token.key).contains(Self.key(2)))
    }

    @Test("takes a host that starts again for another one", arguments: ClaimStoreKind.allCases)
    func lives(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let first = try claim(fleet)
        let (again, second) = try takeOver(fleet)
        #expect(second.token.number == 2)
        again.store.complete(first.claim.token, .ended(.succeeded))
        again.store.complete(second.token, .ended(.failed))
        #expect(
            try fleet.events(of: again) == [
                .completed(first.claim.token, isAccepted: false), .completed(second.token, isAccepted: true),
            ])
    }

    // MARK: Ends

    @Test("counts an end once, and answers the same one as before", arguments: ClaimStoreKind.allCases)
    func ends(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let (host, claim) = try claim(fleet)
        for _ in 0..<2 {
            host.store.complete(claim.token, .ended(.succeeded))
            #expect(try fleet.events(of: host) == [.completed(claim.token, isAccepted: true)])
        }
        try fleet.pass(fleet.lease)
        #expect(try fleet.events(of: host).isEmpty)
        host.store.renew([claim.token])
        let lost = try fleet.events(of: host)
        #expect(lost == [.leaseLost(claim.token)])
    }

    @Test("does not count an end that comes after another claim", arguments: ClaimStoreKind.allCases)
    func lateEnds(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let (host, late) = try claim(fleet)
        let (other, claim) = try takeOver(fleet)
        host.store.complete(late.token, .waits(late.request, pause: .zero))
        host.store.complete(late.token, .ended(.failed))
        let answer = ClaimEvent.completed(late.token, isAccepted: false)
        #expect(try fleet.events(of: host) == [answer, answer])
        other.store.complete(claim.token, .ended(.succeeded))
        #expect(try fleet.events(of: other) == [.completed(claim.token, isAccepted: true)])
    }

    @Test("gives what goes back to the next host, unharmed or with its progress", arguments: ClaimStoreKind.allCases)
    func returns(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let (host, first) = try claim(fleet)
        host.store.complete(first.token, .waits(first.request, pause: .zero))
        #expect(try fleet.events(of: host) == [.completed(first.token, isAccepted: true)])
        let other = try fleet.join()
        other.store.claim(ClaimWish([Self.feeds], most: 1))
        let second = try #require(claims(try fleet.events(of: other)).first)
        #expect(second.request == first.request && second.losses == 0 && second.token.number == 2)
        // It is answered as before, though another host has the request by now.
        host.store.complete(first.token, .waits(first.request, pause: .zero))
        #expect(try fleet.events(of: host) == [.completed(first.token, isAccepted: true)])
        var tried = second.request
        (tried.attempt, tried.failures, tried.deferrals) = (2, 1, 3)
        other.store.complete(second.token, .waits(tried, pause: .seconds(20)))
        #expect(try fleet.events(of: other) == [.completed(second.token, isAccepted: true)])
        try fleet.pass(.seconds(10))
        #expect(try fleet.events(of: other).isEmpty)
        try fleet.pass(.seconds(10))
        #expect(claims(try fleet.events(of: other)).map(\.request) == [tried])
    }

    // MARK: Events

    @Test("has its descriptor readable while there is an event", arguments: ClaimStoreKind.allCases)
    func waking(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let host = try fleet.join()
        guard let descriptor = host.store.eventDescriptor else { return }
        #expect(!isReadable(descriptor))
        host.store.submit(Self.key(1), Self.request())
        host.store.submit(Self.key(2), Self.request())
        try fleet.hear(host)
        for _ in 1...2 {
            #expect(isReadable(descriptor))
            #expect(host.store.takeEvent() != nil)
        }
        #expect(!isReadable(descriptor) && host.store.takeEvent() == nil)
    }

    @Test("says when it is out of reach and when it is back, with its wish", arguments: ClaimStoreKind.allCases)
    func reach(_ kind: ClaimStoreKind) throws {
        let fleet = try FleetUnderTest(kind)
        let (host, first) = try claim(fleet)
        try host.cut()
        host.store.complete(first.token, .ended(.succeeded))
        host.store.claim(ClaimWish([Self.photos], most: 1))
        #expect(try fleet.events(of: host) == [.outOfReach])
        let other = try fleet.join()
        other.store.submit(Self.key(2), Self.request(Self.photos))
        try fleet.pass(.seconds(3))
        // The wish stands, and a completion without an answer is said again.
        host.store.complete(first.token, .ended(.succeeded))
        let events = try fleet.events(of: host)
        #expect(events.first == .reached)
        #expect(events.contains(.completed(first.token, isAccepted: true)))
        #expect(claims(events).map(\.token.key) == [Self.key(2)])
    }
}
