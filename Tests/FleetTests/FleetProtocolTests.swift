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

    @Test("has a host drain that starts again at that moment")
    func drainingJoin() throws {
        let (first, second) = (try FleetSession(options), try FleetSession(options))
        _ = try join(first, "one")
        _ = try first.rows(ServerStatement("BEGIN"))
        let life = try join(first, "one")
        // It waits for the join, whose transaction is open.
        let answers = CrowdQueue<Bool>()
        Thread.detachNewThread { [options] in
            answers.put((try? FleetSession(options).drain("one", true)) ?? false)
            answers.close()
        }
        try Patience.wait(for: "the drain, or its wait for the join") {
            let waits = ServerStatement(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)
            let drained = ServerStatement("SELECT count(*) FROM taskhost.host WHERE draining")
            return try second.rows(waits) != [["0"]] || second.rows(drained) != [["0"]]
        }
        _ = try first.rows(ServerStatement("COMMIT"))
        #expect(answers.take() == true)
        let drains = ServerStatement("SELECT draining FROM taskhost.host WHERE id = $1", [.text(life)])
        #expect(try first.rows(drains) == [["t"]])
    }
}
