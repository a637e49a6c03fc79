import Linux
import Record
import TaskModel
import TestSupport

@testable import Fleet

/// Many hosts of one fleet, in one process and on one thread, on a real database. A seeded generator decides what is done and what
/// goes wrong; the database's processes and its clock decide in which order it happens.
final class Crowd {
    private static let connections = 6
    /// Statements under way and waiting for a connection.
    private static let depth = 16

    let server: PrivatePostgres
    let database: String
    private let pool: CrowdPool
    var hosts: [CrowdHost] = []
    var random: SeededGenerator
    var history = CrowdHistory()
    var count = CrowdCount()
    /// Things go wrong.
    private(set) var isTroubled = true
    /// A host dies of the request that kills hosts.
    private(set) var isPoisonous = true
    /// Submissions of hosts, by their keys.
    var sharedKeys: [ULID: Int] = [:]
    private var clock = CrowdClock()
    private var handlers: [Int: (StatementAnswer) -> Void] = [:]
    private var woken: [CrowdHost] = []
    private var number = 0
    /// Whose turn it is to ask for requests.
    private var round: [Int] = []
    /// nil: all hosts may ask.
    private var onlyLookers: Set<Int>?
    /// Open requests that are not quarantined, quarantined ones, and all; as last asked.
    private var open = (active: 1, quarantined: 0)
    private var isAsking = false
    /// What was asked in an earlier one says nothing of this one.
    private var stage = 0
    private var isOver = false
    /// Statements that reach the database when nobody waits for them any more.
    private var lateStatements = 0

    init(seed: UInt64, hosts: Int) throws {
        random = SeededGenerator(seed: seed)
        server = try PrivatePostgres.shared()
        database = try server.database()
        _ = try FleetSession(ConnectionOptions(database)).makeSchema()
        let role = database.split(separator: "dbname=")[1].split(separator: " ")[0] + "crowd"
        _ = try server.query("CREATE ROLE \(role) LOGIN IN ROLE taskhost_host", in: database)
        _ = try server.query(CrowdHistory.trigger, in: database)
        pool = CrowdPool(try ConnectionOptions("\(database) user=\(role)"), size: Self.connections)
        for index in 0..<hosts {
            let host = CrowdHost(self, index: index, seed: random.next())
            self.hosts.append(host)
            history.members.append(
                CrowdHistory.Member(
                    identifiers: Set(host.identifiers), labels: host.labels, most: host.most,
                    lease: host.lease.nanoseconds / 1000))
        }
    }

    // MARK: What hosts use

    /// - Parameter place: chooses the connection; nil: any.
    func send(_ statement: ServerStatement, over place: Int? = nil, then: @escaping (StatementAnswer) -> Void) {
        number += 1
        count.statements += 1
        handlers[number] = then
        pool.send(number, statement, over: place ?? number)
    }

    func rows(of answer: StatementAnswer) -> [[String?]] {
        switch answer {
        case .rows(let rows): return rows
        case .refused(let fault):
            history.refusals.append("\(fault.code) \(fault.message)")
            return []
        }
    }

    func later(_ span: TimeSpan, _ action: @escaping () -> Void) {
        clock.add(at: CrowdClock.now.instant + span, action)
    }

    /// The statement reaches the database after a while, and nobody hears of it.
    func send(_ statement: ServerStatement, over place: Int?, after span: TimeSpan) {
        lateStatements += 1
        later(span) { [self] in
            send(statement, over: place) { [self] _ in lateStatements -= 1 }
        }
    }

    /// The host has an event.
    func wake(_ host: CrowdHost) { woken.append(host) }

    // MARK: Playing

    /// Plays until so many requests were submitted, and all have ended.
    func play(requests: Int, poisons: Int) throws {
        for host in hosts { host.begin() }
        try turn { self.history.lives.count >= self.hosts.count }
        for place in 0..<poisons { submitPoison(place) }
        try turn {
            self.count.submissions >= requests
        } acting: {
            self.act()
        }
        try turn {
            self.open.quarantined >= poisons
        } acting: {
            self.look()
        }
        isTroubled = false
        for host in hosts where host.drained != nil { drain(host, false) }
        try turn {
            self.isQuiet
        } acting: {
            self.look()
        }
        try turn {
            self.open.active == 0
        } acting: {
            self.look()
        }
        isPoisonous = false
        releaseAll()
        try turn {
            self.open == (0, 0)
        } acting: {
            self.look()
        }
        while case let idle = hosts.filter({ $0.claims == 0 }), !idle.isEmpty {
            onlyLookers = Set(idle.map(\.index))
            for host in idle { submit(for: host) }
            try finishStatements()
            try turn {
                self.open == (0, 0)
            } acting: {
                self.look()
            }
        }
        try turn { self.isQuiet }
        isOver = true
        try turn { self.handlers.isEmpty }
        pool.finish()
        // What is still to come holds this crowd, and with it the server.
        clock = CrowdClock()
        for host in hosts { host.check() }
        try history.read(FleetSession(ConnectionOptions(database)))
        count.note(history)
    }

    /// All statements that were sent so far have been carried out.
    private func finishStatements() throws {
        let last = number
        try turn { self.handlers.keys.allSatisfy { $0 > last } }
    }

    /// Nothing is on its way that could still change something, but what hosts do with their claims.
    private var isQuiet: Bool { lateStatements == 0 && hosts.allSatisfy(\.isQuiet) }

    /// Lets hosts and database go on until the condition holds.
    private func turn(until isDone: () -> Bool, acting act: () -> Void = {}) throws {
        open.active = 1
        stage += 1
        var patience = Patience.long
        while !isDone() || !woken.isEmpty {
            guard patience.milliseconds() != nil else {
                throw Problem("the crowd has not come to an end; \(open), \(count.sentence)")
            }
            for answer in pool.takeAnswers(within: handlers.count < Self.depth ? 0.0005 : 0.002) {
                handlers.removeValue(forKey: answer.number)?(answer.answer)
            }
            for action in clock.takeDue() { action() }
            let list = woken
            woken.removeAll(keepingCapacity: true)
            for host in list { host.turn() }
            ask()
            for _ in 0..<max(0, Self.depth - handlers.count) { act() }
        }
    }

    /// How many requests are open, now and then.
    private func ask() {
        guard !isAsking, !isOver else { return }
        isAsking = true
        later(.milliseconds(100)) { [self] in
            guard !isOver else { return }
            let stage = stage
            send(
                ServerStatement(
                    """
                    SELECT count(*) FILTER (WHERE state <> 'quarantined'), count(*) FILTER (WHERE state = 'quarantined')
                    FROM taskhost.requests WHERE ended IS NULL
                    """)
            ) { [self] answer in
                isAsking = false
                guard stage == self.stage, let row = rows(of: answer).first, let active = row[0].flatMap({ Int($0) }),
                    let quarantined = row[1].flatMap({ Int($0) })
                else { return }
                open = (active, quarantined)
            }
        }
    }

    /// The next host that wants to asks for requests.
    func look() {
        for _ in hosts.indices {
            if round.isEmpty { round = hosts.indices.shuffled(using: &random) }
            let host = hosts[round.removeLast()]
            guard host.isWilling, onlyLookers?.contains(host.index) ?? true else { continue }
            return host.look()
        }
    }
}
