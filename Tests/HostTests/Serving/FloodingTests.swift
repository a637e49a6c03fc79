import Control
import Foundation
import Linux
import TestSupport
import Testing

@Suite("A plugin that floods its host")
struct FloodingTests {
    struct Attack: CustomStringConvertible {
        var fixture: String
        var isolation = "application"
        var tier: String?
        var user: UInt32?
        var description: String {
            [fixture, isolation, tier, user.map { "user \($0)" }].compactMap { $0 }.joined(separator: ", ")
        }
    }

    static let attacks =
        ["flood-words", "flood-misuse", "flood-submissions"].map { Attack(fixture: $0) }
        + [
            Attack(fixture: "flood-children", isolation: "run"), Attack(fixture: "flood-questions", isolation: "run"),
            Attack(fixture: "flood-children", isolation: "exec"), Attack(fixture: "forge-refused", isolation: "exec"),
        ] + Machine.tiers.map { Attack(fixture: "flood-children", tier: $0) }
        + (Machine.isRoot
            ? ["flood-children", "flood-submissions"].map { Attack(fixture: $0, user: Machine.nobody) } : [])

    /// What may be asked of the host takes 50 ms at most while it is flooded; a busy machine is given ten times that.
    private static let patience = 0.5
    /// None may have to wait for the flood's end.
    private static let limit = 5.0
    private static let memory = 16 << 20

    /// Asks for the task's runs; how many seconds the answer took, and whether its run has ended.
    private func ask(_ daemon: Daemon, _ task: String) throws -> (time: Double, hasEnded: Bool) {
        let command = try Program(
            "curl",
            [
                "-s", "-w", "\n%{http_code} %{time_total}", "--unix-socket", daemon.station.state + "/control.sock",
                "http://localhost/v1/runs?identifier=\(task)",
            ]
        ).finish()
        let words = (command.output.split(separator: "\n").last ?? "").split(separator: " ")
        guard words.count == 2, words[0] == "200", let time = Double(words[1]) else { throw Problem("\(command)") }
        return (time, command.output.contains(#""outcome":""#))
    }

    private func runThere(_ task: String, _ station: Station) throws {
        let command = try station.start(["run", task], manifests: false).finish()
        #expect(command.succeeded, "\(command)")
    }

    /// The most memory that the host has had.
    private func peak(_ daemon: Daemon) throws -> Int {
        let status = try FileText.read("/proc/\(daemon.program.pid)/status")
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(separator: " ")[1])) << 10
    }

    @Test("keeps no other client from it: questions are answered, neighbours run, its memory stays", arguments: attacks)
    func flood(_ attack: Attack) throws {
        let station = try Station(user: attack.user)
        if let tier = attack.tier { try station.configure("control", tier) }
        var manifest = try ManifestText(fixture: "hostile.\(attack.fixture)")
        if attack.isolation != "application" { manifest = manifest.with("isolation", attack.isolation) }
        let task = try station.add(manifest).tasks[0]
        let neighbour = try station.add(fixture: "fixtures.noop").tasks[0]
        let daemon = try Daemon(station)
        for _ in 0..<2 { try runThere(neighbour, station) }
        for _ in 0..<5 { _ = try ask(daemon, task) }
        let before = try peak(daemon)

        let reply = try daemon.ask(.post, "/v1/runs", body: #"{"identifiers":["\#(task)"]}"#)
        #expect(reply.status == 202)
        var times: [Double] = []
        var hasEnded = false
        while !hasEnded || times.count < 10 {
            let answer = try ask(daemon, task)
            times.append(answer.time)
            hasEnded = answer.hasEnded
            try #require(times.count < 2000, "it floods without end")
        }
        #expect(times.sorted()[times.count / 2] < Self.patience, "\(times)")
        #expect(try #require(times.max()) < Self.limit, "\(times)")
        try runThere(neighbour, station)
        #expect(try peak(daemon) - before < Self.memory)

        let run = try #require(try station.history().last { $0.identifier == task })
        let row = try #require(FixtureRow.all.first { $0.name == attack.fixture })
        // Where the machine is too busy for a flood of questions, none comes.
        #expect(([row.outcome] + (row.accepts ?? [])).contains(run.outcome ?? ""), "\(run)")
        if let words = row.diagnostics { #expect(run.diagnostics.contains { $0.contains(words) }, "\(run)") }
        #expect(run.diagnostics.count <= 16)
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test("cannot forge what its confinement is", arguments: ["forge-ready", "forge-confined"])
    func confinement(_ name: String) throws {
        let station = try Station()
        let task = try station.add(fixture: "hostile.\(name)").tasks[0]
        let honest = try station.add(fixture: "fixtures.noop").tasks[0]
        let report = try station.run(task, honest)
        let (forged, other) = (try #require(report[task]), try #require(report[honest]))
        #expect(forged.outcome == "crashed" && forged.degraded == other.degraded, "\(forged)")
        let confinement = try station.show(forged).confinement
        #expect(try confinement == station.show(other).confinement)
        station.expectNothingLeft()
    }
}
