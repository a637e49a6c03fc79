import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A time zone that changes under a daemon")
struct TimeZoneServingTests {
    private static let application = "org.taskhost.zone"
    private static let zones = Places.root.appending(path: "Tests/CalendarTests/Zones").path

    private func setZone(_ station: Station, _ name: String?) throws {
        let words = name.map { "ln -s '\(Self.zones)/\($0).tzif' next && mv -T next localtime" } ?? "rm localtime"
        let command = try Command.run("sh", ["-ec", words], in: station.folder.url)
        guard command.succeeded else { throw Problem(command.output) }
    }

    /// The hour of UTC at which the task's pending request is to run.
    private func hour(_ daemon: Daemon, _ task: String) throws -> String? {
        struct Requests: Decodable {
            struct Request: Decodable {
                var identifier: String
                var scheduledFor: String?
            }
            var requests: [Request]
        }
        let request = try daemon.ask(Requests.self, "pending").requests.first { $0.identifier == task }
        return request?.scheduledFor.map { String($0.dropFirst(11).prefix(5)) }
    }

    @Test("moves what it means by the clock, and nothing else, each time and without a restart")
    func follows() throws {
        let station = try Station()
        let words = ["local", "named", "every"]
        var manifest = try ManifestText(
            stage: Self.application, Dictionary(uniqueKeysWithValues: words.map { ($0, "stage_pass") }))
        for (word, schedule) in zip(
            words,
            [
                ["calendar": "30 3 * * *"], ["calendar": "30 3 * * *", "timeZone": "Etc/UTC"], ["every": "1d"],
            ])
        {
            manifest.setTask("\(Self.application).\(word)", "schedule", schedule)
            manifest.setTask("\(Self.application).\(word)", "requires", ["externalPower": true, "idle": false])
        }
        try station.add(manifest)
        let daemon = try Daemon(station)
        try daemon.tell("device", "set", "power=battery")
        let task = "\(Self.application).local"
        #expect(try hour(daemon, task) == "03:30")
        let named = try hour(daemon, "\(Self.application).named")
        let every = try hour(daemon, "\(Self.application).every")
        // No summer time there.
        for (zone, expected) in [("Asia-Kolkata", "22:00"), (nil, "03:30"), ("Asia-Kolkata", "22:00")] {
            let seen = daemon.count("journal", "timeZoneChanged")
            try setZone(station, zone)
            try daemon.wait(for: "journal", "timeZoneChanged", count: seen + 1)
            try daemon.waitUntil { try hour(daemon, task) == expected }
        }
        #expect(try hour(daemon, "\(Self.application).named") == named && named == "03:30")
        #expect(try hour(daemon, "\(Self.application).every") == every)
        // A file that is none of a time zone is UTC, as for the C library.
        try daemon.station.folder.write("broken", "TZif, and no more")
        let seen = daemon.count("journal", "timeZoneChanged")
        _ = try Command.run("mv", ["-T", "broken", "localtime"], in: station.folder.url)
        try daemon.wait(for: "journal", "timeZoneChanged", count: seen + 1)
        #expect(try hour(daemon, task) == "03:30")
        #expect(try daemon.tell("journal").contains("5 h 30 m from UTC"))
        #expect(try daemon.stop().status == 0)
    }
}
