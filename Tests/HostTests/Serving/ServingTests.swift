import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A daemon")
struct ServingTests {
    private static let seed = "com.MeasurementSample.refresh"

    /// A station with the manifests of the repository, beside the built libraries.
    private func shipped() throws -> Station {
        let station = try Station()
        for name in try FileManager.default.contentsOfDirectory(atPath: Places.root.appending(path: "manifests").path)
        where name.hasSuffix(".json") && name != "schema.json" {
            var manifest = try ManifestText(file: Places.root.appending(path: "manifests/\(name)"))
            if let library = manifest["library"] as? String {
                manifest["library"] = try Places.products.appending(path: library).path
            }
            try station.add(manifest)
        }
        return station
    }

    @Test("schedules every shipped manifest that has a schedule, and explains each that waits")
    func shippedManifests() throws {
        let daemon = try Daemon(try shipped())
        let scheduled: Set = ["crc32", "database-care", "scrub", "tidy", "walk"]
        // The others are launched once, and submit their requests themselves.
        let own: Set = ["org.taskhost.examples.feed-refresh", Self.seed, "com.MeasurementSample.process"]
        try daemon.waitUntil { Set(try daemon.pending().map(\.identifier)).isSuperset(of: own) }
        let pending = try daemon.pending()
        #expect(
            Set(pending.filter { $0.origin == "schedule" }.map(\.identifier))
                == Set(scheduled.map { "org.taskhost.examples.\($0)" }))
        for request in pending where request.origin == "schedule" || request.identifier == Self.seed {
            let why = try daemon.why(request.identifier)
            #expect(why.pending && why.holding.contains("earliestBeginDate"), "\(why)")
            #expect(why.gates.first { $0.gate == "earliestBeginDate" }?.next != nil)
            #expect(why.summary.hasPrefix("waiting: its "))
        }
        #expect(try daemon.stop().status == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.station.state + "/control.sock"))
        daemon.station.expectEveryProcessEnds()
    }

    @Test("answers once it has begun: a question that comes while the bus is still asked waits for the truth")
    func beginning() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.begin", ["pass": "stage_pass"])
        manifest.setTask("org.taskhost.begin.pass", "schedule", ["every": "1h"])
        try station.add(manifest)
        // It is given up after five seconds.
        let bus = try PrivateBus(isRunning: false)
        let listener = try bus.listenSilently()
        let daemon = try station.start(["serve"], environment: bus.environment)
        try listener.wait(forText: "accepted")
        let why = try station.start(["why", "org.taskhost.begin.pass"]).finish()
        #expect(why.status == 0 && why.output.hasPrefix("waiting: its time"), "\(why)")
        try daemon.signal(SIGTERM)
        #expect(try daemon.finish().status == 0)
    }

    @Test("launches the seed's sample by simulation: five operations, success, the next request 15 minutes ahead")
    func seedSample() throws {
        let daemon = try Daemon(try shipped())
        let output = try daemon.station.start(["simulate", "launch", Self.seed]).finish()
        #expect(output.status == 0, "\(output)")
        for number in 1...5 { #expect(output.errors.contains("this operation id is \(number)\n")) }
        let request = try #require(try daemon.pending().first { $0.identifier == Self.seed })
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let earliest = try style.parse(try #require(request.earliestBeginDate))
        let submitted = try style.parse(request.submittedAt)
        #expect(abs(earliest.timeIntervalSince(submitted) - 900) < 5)
        #expect(try daemon.why(Self.seed).holding == ["earliestBeginDate"])
        let runs = try daemon.station.history().filter { $0.identifier == Self.seed }
        #expect(runs.map(\.outcome) == ["succeeded"])
        #expect(try daemon.stop().status == 0)
    }

    @Test("without one, the same simulation works in the verb's own process")
    func seedSampleWithoutDaemon() throws {
        let station = try shipped()
        let manifests = station.manifestFolder.path
        let output = try station.start(["simulate", "launch", Self.seed, "--manifests", manifests])
            .finish()
        #expect(output.status == 0 && output.errors.contains("this operation id is 5\n"), "\(output)")
        station.expectEveryProcessEnds()
    }

    @Test("runs a schedule again and again, one run at a time")
    func schedule() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.often", ["pass": "stage_pass"])
        manifest.setTask("org.taskhost.often.pass", "schedule", ["every": "1s"])
        manifest.setTask("org.taskhost.often.pass", "requires", ["idle": false])
        try station.add(manifest)
        let daemon = try Daemon(station)
        try daemon.wait(for: "run.ended", "org.taskhost.often.pass", count: 3)
        #expect(try daemon.stop().status == 0)
        let runs = try station.history()
        #expect(runs.count >= 3 && runs.allSatisfy { $0.attempt == 1 })
        for (earlier, later) in zip(runs, runs.dropFirst()) {
            #expect(try #require(earlier.endedAt) <= later.submittedAt)
        }
    }

    @Test("is alone on its state, and says who holds it")
    func second() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        let daemon = try Daemon(station)
        let other = try station.start(["serve"]).finish()
        #expect(other.status == 69 && other.errors.contains("\(daemon.program.pid)"), "\(other)")
        // Tasks are run through it instead.
        let run = try station.start(["run", "--json", "org.taskhost.fixtures.noop"], manifests: false)
            .finish()
        #expect(run.status == 0 && run.output.contains("\"outcome\":\"succeeded\""), "\(run)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("that does not run is reported, with what starts it")
    func absent() throws {
        let station = try Station()
        for words in [["top", "--once"], ["reload"], ["foreground", "com.example.feeds"]] {
            let command = try station.start(words).finish()
            #expect(command.status == 69 && command.errors.contains("taskhost serve"), "\(words): \(command)")
        }
    }

    @Test("stops cleanly while a run continues: it is warned, and its request is kept")
    func stopping() throws {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.stop", ["wait": "stage_wait"])
        manifest.setTask("org.taskhost.stop.wait", "requires", ["idle": false])
        try station.add(manifest)
        let daemon = try Daemon(station)
        try daemon.tell("submit", "org.taskhost.stop.wait")
        try daemon.wait(for: "run.started", "org.taskhost.stop.wait")
        #expect(try daemon.stop().status == 0)
        let run = try #require(try station.history().last)
        #expect(run.reason == "hostStopping")
        let next = try Daemon(station)
        // It starts at once, maybe before its events are listened to.
        try next.waitUntil { try station.history().last?.attempt == 2 }
        #expect(try next.stop().status == 0)
    }
}
