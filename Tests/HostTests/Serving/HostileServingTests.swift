import Control
import Foundation
import TestSupport
import Testing

@Suite("A plugin that reaches for the host that serves it")
struct HostileServingTests {
    private static let task = "org.taskhost.hostile.attack-host"
    static let users: [UInt32?] = Machine.isRoot ? [nil, Machine.nobody] : [nil]

    @Test("gets neither to its socket nor to its database, whatever the host's user", arguments: users)
    func reaches(_ user: UInt32?) throws {
        let station = try Station(user: user)
        try station.add(fixture: "hostile.attack-host")
        let daemon = try Daemon(station)
        for name in ["control.sock", "taskhost.db", "lock"] {
            #expect(
                FileManager.default.fileExists(atPath: station.state + "/" + name), "\(name) would be a dead letter")
        }
        let run = try station.start(["run", Self.task, "--json"], manifests: false).finish()
        let record = try #require(
            try JSONDecoder().decode(RunDocument.List.self, from: Data(run.output.utf8)).runs.first)
        let lines = try station.lines(record)
        #expect(record.outcome == "succeeded", "\(lines)")
        #expect(!lines.contains { $0.contains("NOT REFUSED") }, "\(lines)")
        // It was there that it looked.
        for attack in ["connect \(station.state)/control.sock", "open \(station.state)/taskhost.db"] {
            #expect(lines.contains { $0.contains("\(attack): refused") }, "\(attack): \(lines)")
        }
        #expect(try daemon.ask(.get, "/v1/host").status == 200)
        #expect(try daemon.stop().status == 0)
        station.expectEveryProcessEnds()
    }
}
