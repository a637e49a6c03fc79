import Foundation
import Linux
import Record
import TaskModel
import TestSupport
import Testing

@testable import Fleet

/// What the protocol promises to programs whose sessions speak for several hosts.
@Suite("The fleet's protocol")
struct FleetProtocolTests {
    private static let task = "com.example.feeds.refresh"

    private let server: PrivatePostgres
    private let options: ConnectionOptions

    init() throws {
        server = try PrivatePostgres.shared()
        options = try ConnectionOptions(try server.database())
        _ = try FleetSession(options).makeSchema()
    }

    private static func member(_ name: String) -> FleetMember {
        FleetMember(
            name: name, identity: HostID(high: 5, low: UInt64(name.utf8.count)),
            boot: "00000000-0000-4000-8000-000000000001", version: "1", labels: [:], lease: .minutes(10))
    }

    private func join(_ session: FleetSession, _ name: String) throws -> String {
        try #require(try session.rows(FleetStatement.join(Self.member(name))).first?.first ?? nil)
    }

    private func claim(_ session: FleetSession, _ host: String, most: Int) throws -> [ClaimToken] {
        try session.rows(FleetStatement.claim(host, .array([Self.task]), most: most, .minutes(1)))
            .compactMap(ClaimToken.init(row:))
    }

    @Test("gives each host of a session no more than it wishes, while dead rows cannot be removed")
    func sharedSessions() throws {
        let reader = try FleetSession(options)
        let session = try FleetSession(options)
        for _ in 0..<300 { _ = try session.submit(FleetSubmission(Self.task)) }
        let (one, other) = (try join(session, "one"), try join(session, "other"))
        _ = try reader.rows(ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ"))
        _ = try reader.rows(ServerStatement("SELECT count(*) FROM taskhost.request"))
        for token in try claim(session, one, most: 250) {
            _ = try session.rows(FleetStatement.complete(one, token, .ended(.succeeded), .none))
        }
        // From now on claims of the session begin where it has been.
        #expect(try claim(session, one, most: 1).count == 1)
        let look = try session.rows(ServerStatement("SELECT current_setting('taskhost.look', true)"))
        #expect(look.first?.first??.isEmpty == false)
        #expect(try claim(session, other, most: 1).count == 1)
        #expect(try claim(session, one, most: 1).isEmpty)
        #expect(try claim(session, other, most: 1).isEmpty)
    }

    @Test("walks over dead rows once, however many claims it takes to come by all lines")
    func deadRows() throws {
        let reader = try FleetSession(options)
        let session = try FleetSession(options)
        let identifiers = (0..<32).map { "com.example.feeds.t\($0)" }
        func submit(_ count: Int) throws {
            _ = try session.rows(
                ServerStatement(
                    "SELECT count(taskhost.submit(i)) FROM unnest($1::text[]) i, generate_series(1, \(count))",
                    [.array(identifiers)]))
        }
        try submit(400)
        _ = try reader.rows(ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ"))
        _ = try reader.rows(ServerStatement("SELECT count(*) FROM taskhost.request"))
        // They are claimed, and end.
        for change in ["leased = true, ready = false, later = true", "leased = false, later = false, ended = now()"] {
            _ = try session.rows(ServerStatement("UPDATE taskhost.request SET \(change), free = now()"))
        }
        try submit(4)
        let host = try join(session, "one")
        // The server adds up what a session has read, and begins anew when it has told of it.
        var (walked, told) = (0, 0)
        // Four of 32 in each.
        for round in 1...8 {
            let rows = try session.rows(
                ServerStatement(
                    "SELECT identifier, taskhost.walked() FROM taskhost.claim($1, $2, \(4 * round), '1 minute')",
                    [.text(host), .array(identifiers)]))
            #expect(Set(rows.compactMap(\.[0])).count == 4)
            let sum = try #require(rows.first?[1].flatMap { Int($0) })
            walked += sum < told ? sum : sum - told
            told = sum
        }
        // Each has a dead entry in the index of those that are ready, and one in that of those that come later.
        #expect(walked < 4 * 32 * 400, "\(walked)")
    }

    /// Carries out `step` in a session of its own, and the open transaction of `session` ends when that waits for it, or is done.
    ///
    /// - Parameter done: counts what the step has made.
    private func meet(
        _ session: FleetSession, done: String, _ step: @escaping @Sendable (FleetSession) throws -> Bool
    ) throws -> Bool {
        let observer = try FleetSession(options)
        let answers = CrowdQueue<Bool>()
        Thread.detachNewThread { [options] in
            answers.put((try? step(FleetSession(options))) ?? false)
            answers.close()
        }
        try Patience.wait(for: "the step, or its wait for the transaction") {
            let waits = ServerStatement(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)
            return try observer.rows(waits) != [["0"]] || observer.rows(ServerStatement(done)) != [["0"]]
        }
        _ = try session.rows(ServerStatement("COMMIT"))
        return answers.take() == true
    }

    @Test("has a host drain that starts again at that moment")
    func drainingJoin() throws {
        let session = try FleetSession(options)
        _ = try join(session, "one")
        _ = try session.rows(ServerStatement("BEGIN"))
        let life = try join(session, "one")
        #expect(
            try meet(session, done: "SELECT count(*) FROM taskhost.host WHERE draining") {
                try $0.drain("one", true)
            })
        let drains = ServerStatement("SELECT draining FROM taskhost.host WHERE id = $1", [.text(life)])
        #expect(try session.rows(drains) == [["t"]])
    }

    @Test("keeps the manifest of all hosts when another operator begins with the next one at that moment")
    func rolloutsAtOnce() throws {
        let session = try FleetSession(options)
        _ = try session.rows(ServerStatement("BEGIN"))
        try session.rollOut("com.example.feeds", manifest: "first", percent: 100)
        #expect(
            try meet(session, done: "SELECT count(*) FROM taskhost.rollout WHERE percent = 10") {
                try $0.rollOut("com.example.feeds", manifest: "second", percent: 10)
                return true
            })
        let row = ServerStatement("SELECT settled, coming, percent FROM taskhost.rollout")
        #expect(try session.rows(row) == [["first", "second", "10"]])
    }
}
