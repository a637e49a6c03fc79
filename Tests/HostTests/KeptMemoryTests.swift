import Foundation
import TestSupport
import Testing

@Suite("Memory that runs leave in their process", .serialized)
struct KeptMemoryTests {
    private static let task = "org.taskhost.keeping.leak"

    private func station() throws -> Station {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.keeping", ["leak": "stage_leak"])
        manifest.setBudget(of: Self.task, ["memory": "64MiB"])
        try station.add(manifest)
        return station
    }

    private func run(_ station: Station) throws {
        let run = try station.start(["run", Self.task], manifests: false).finish()
        #expect(run.status == 0, "\(run)")
    }

    @Test("is not charged to later ones: the process is renewed between them")
    func renewed() throws {
        let station = try station()
        let daemon = try Daemon(station)
        for _ in 0..<16 { try run(station) }
        let runs = try station.history()
        #expect(runs.map(\.outcome) == Array(repeating: "succeeded", count: 16), "\(runs)")
        for run in runs { #expect(try station.show(run).memoryAtStart == nil) }
        #expect(try daemon.stop().status == 0)
    }

    @Test("is charged where a user sees the application, and is shown")
    func told() throws {
        let station = try station()
        let daemon = try Daemon(station)
        try daemon.tell("foreground", "org.taskhost.keeping")
        for _ in 0..<5 { try run(station) }
        let last = try #require(try station.history().last)
        let amount = try #require(try station.show(last).memoryAtStart)
        #expect(amount > 24 << 20 && amount < 64 << 20, "\(amount)")
        #expect(try daemon.tell("show", last.run).contains("left in its process by earlier runs"))
        try daemon.tell("background", "org.taskhost.keeping")
        try daemon.wait(for: "application.state", "notRunning")
        try run(station)
        #expect(try station.show(try #require(try station.history().last)).memoryAtStart == nil)
        #expect(try daemon.stop().status == 0)
    }
}
