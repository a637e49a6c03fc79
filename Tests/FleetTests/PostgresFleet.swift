import Fleet
import Linux
import Record
import TaskModel
import TestSupport

/// Hosts on a real database. Its time goes on by itself; `pass` moves what it has stored, and the hosts' clocks, on.
final class PostgresFleet: FleetWorld {
    final class Host: FleetHost {
        let claims: PostgresClaims
        fileprivate let loop: TestLoop
        private unowned let fleet: PostgresFleet
        /// What it said of its reach last.
        fileprivate(set) var fault: String?
        let name: String

        fileprivate init(_ fleet: PostgresFleet, name: String, options: ConnectionOptions) throws {
            self.fleet = fleet
            self.name = name
            let member = FleetMember(
                name: name, identity: HostID(high: 1, low: UInt64(fleet.hosts.count)),
                boot: "00000000-0000-4000-8000-000000000001", version: "1", labels: ["room": "lab"], lease: fleet.lease)
            claims = try PostgresClaims(
                options, as: member, resolve: { names, answer in answer([:]) },
                clock: { [unowned fleet] in Clock.moment().instant + fleet.ahead },
                bootTime: { [unowned fleet] in Instant(nanoseconds: Clock.sinceBoot()) + fleet.ahead })
            loop = try TestLoop(claims)
            loop.ahead = fleet.ahead
            claims.report = { [unowned self] in
                fault = $0
                if let fault { print("\(self.name): \(fault)") }
            }
        }

        var store: any ClaimStore { claims }
        var now: Instant { Instant(nanoseconds: Clock.sinceBoot()) + fleet.ahead }

        /// Turns until it has its answers.
        func settle() throws {
            guard try loop.run(until: { claims.isQuiet }) else { throw Problem("\(name) is not quiet; \(fault ?? "")") }
        }

        func cut() throws {
            try fleet.cut(name)
            guard try loop.run(until: { !claims.isReached }) else {
                throw Problem("\(name) has not lost its connection")
            }
        }

        /// Its answers arrive, and what the server said of its own accord until now. A server tells its listeners what it has for
        /// them before it is ready for their next query, so that one more answer on that connection is the sign (PostgreSQL,
        /// "NOTIFY").
        fileprivate func hear() throws {
            guard !fleet.cutHosts.contains(name) else { return }
            try settle()
            var isAnswered = false
            claims.oldestRequests(of: []) { _ in isAnswered = true }
            guard try loop.run(until: { isAnswered }) else { throw Problem("\(name) has no answer; \(fault ?? "")") }
            try settle()
        }
    }

    let server: PrivatePostgres
    let database: String
    fileprivate let lease: TimeSpan
    fileprivate var hosts: [Host] = []
    /// How far the clocks of the hosts were moved on.
    fileprivate var ahead = TimeSpan.zero
    fileprivate var cutHosts: Set<String> = []

    /// - Parameter server: nil: the one of all tests.
    init(lease: TimeSpan, server: PrivatePostgres? = nil) throws {
        self.lease = lease
        self.server = try server ?? PrivatePostgres.shared()
        database = try self.server.database()
        _ = try FleetSession(ConnectionOptions(database)).makeSchema()
    }

    func query(_ sql: String) throws -> String { try server.query(sql, in: database) }

    func join() throws -> any FleetHost {
        // Roles are the server's, not the database's.
        let name = "\(database.split(separator: "dbname=")[1].split(separator: " ")[0])host\(hosts.count)"
        _ = try query("CREATE ROLE \(name) LOGIN IN ROLE taskhost_host")
        let host = try Host(self, name: name, options: ConnectionOptions("\(database) user=\(name)"))
        hosts.append(host)
        guard try host.loop.run(until: { host.store.takeEvent() == .reached }) else {
            throw Problem("\(name) has not reached its database; \(host.fault ?? "it says no reason")")
        }
        try host.settle()
        return host
    }

    /// The host cannot connect any more, until time passes.
    fileprivate func cut(_ name: String) throws {
        cutHosts.insert(name)
        _ = try query(
            """
            ALTER ROLE \(name) NOLOGIN;
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = '\(name)'
            """)
    }

    /// What the hosts asked before is answered before: to a clock that was moved on, an answer under way would come too late, and
    /// a claim whose answer is lost is leased all the same.
    func pass(_ span: TimeSpan) throws {
        for host in hosts where !cutHosts.contains(host.name) { try host.settle() }
        for name in cutHosts { _ = try query("ALTER ROLE \(name) LOGIN") }
        let cut = hosts.filter { cutHosts.contains($0.name) }
        cutHosts.removeAll()
        ahead = ahead + span
        let moved = "'\(span.nanoseconds / 1000) microseconds'::interval"
        _ = try query(
            "UPDATE taskhost.request SET free = free - \(moved);"
                + "UPDATE taskhost.host SET last_seen = last_seen - \(moved)")
        for host in hosts { host.loop.ahead = ahead }
        for host in cut {
            guard try host.loop.run(until: { host.claims.isReached }) else {
                throw Problem("\(host.name) does not come back; \(host.fault ?? "")")
            }
        }
    }

    /// The hosts' clocks go on, and what the database has stays.
    func skip(_ span: TimeSpan) {
        ahead = ahead + span
        for host in hosts { host.loop.ahead = ahead }
    }

    /// The next event, when it comes.
    func event(of host: any FleetHost) throws -> ClaimEvent? {
        guard let host = host as? Host else { throw Problem("it is a host of another world") }
        var event: ClaimEvent?
        try host.loop.run {
            event = event ?? host.store.takeEvent()
            return event != nil
        }
        return event
    }

    func hear(_ host: any FleetHost) throws { try (host as? Host)?.hear() }

    func events(of host: any FleetHost) throws -> [ClaimEvent] {
        try hear(host)
        var events: [ClaimEvent] = []
        while let event = host.store.takeEvent() { events.append(event) }
        return events
    }
}
