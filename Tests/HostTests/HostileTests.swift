import TestSupport
import Testing

@Suite("A hostile plugin")
struct HostileTests {
    private static let neighbour = "org.taskhost.fixtures.echo"

    @Test(
        "ends in its own outcome, and harms neither host nor neighbour",
        arguments: Sample.draw(FixtureRow.all.filter { Machine.meets($0.needs) }, most: 40, "HostileTests") {
            $0.outcome
        })
    func hostile(_ row: FixtureRow) throws {
        let station = try Station()
        try station.add(fixture: "hostile.\(row.name)")
        try station.add(fixture: "fixtures.echo")
        // One at a time: the neighbour's turn comes after the misbehaviour, in the same host.
        let report = try station.run(
            row.identifier, Self.neighbour, "--concurrency", "1", "--payload-text", "neighbour")
        if row.isInvalid == true {
            #expect(report.command.status == 65)
            #expect(report.command.errors.contains(row.name))
            #expect(try station.run(Self.neighbour).command.succeeded)
            station.expectNothingLeft()
            return
        }

        let run = try #require(report[row.identifier], "\(report.command)")
        let outcome = try #require(run.outcome)
        #expect(([row.outcome] + (row.accepts ?? [])).contains(outcome), "\(run)")
        if outcome == row.outcome {
            #expect(run.signal == row.expectedSignal || row.signal == nil, "\(run)")
            #expect(run.exitStatus == row.exitStatus || row.exitStatus == nil, "\(run)")
            #expect(run.reason == row.reason, "\(run)")
        }
        if let text = row.diagnostics { #expect(run.diagnostics.contains { $0.contains(text) }, "\(run)") }
        #expect(report.command.status == RunDocument.exitStatuses[outcome])

        let neighbour = try #require(report[Self.neighbour])
        #expect(neighbour.outcome == "succeeded", "\(neighbour)")
        #expect(try station.logs(neighbour).text.contains("neighbour"))
        station.expectNothingLeft()
    }

    @Test(
        "ends in the same outcome where a process beside it is told of its calls",
        arguments: Sample.draw(
            FixtureRow.all.filter { Machine.meets($0.needs) && $0.isInvalid != true }, most: 16, "HostileTests.told"
        ) { $0.outcome })
    func told(_ row: FixtureRow) throws {
        let station = try Station()
        try station.add(fixture: "fixtures.echo")
        let daemon = try Daemon(station)
        // What comes to a running host is new to it.
        try station.add(fixture: "hostile.\(row.name)")
        try daemon.tell("reload")
        let report = try station.finish(try station.start(["run", row.identifier, "--json"], manifests: false))
        let run = try #require(report[row.identifier], "\(report.command)")
        #expect(([row.outcome] + (row.accepts ?? [])).contains(try #require(run.outcome)), "\(run)")
        let neighbour = try station.finish(try station.start(["run", Self.neighbour, "--json"], manifests: false))
        #expect(neighbour[Self.neighbour]?.outcome == "succeeded", "\(neighbour.command)")
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test(
        "does not disturb a neighbour that works meanwhile",
        arguments: ["spin", "burn-threads", "fork-bomb", "flood-output", "wire-garbage", "crash-null"])
    func together(_ name: String) throws {
        let station = try Station()
        try station.add(fixture: "hostile.\(name)")
        let pass = Dictionary(uniqueKeysWithValues: (0..<8).map { ("pass\($0)", "stage_pass") })
        let application = try station.add(ManifestText(stage: "org.taskhost.fixtures.stage", pass))
        let report = try station.run("org.taskhost.hostile.\(name)", application.identifier)
        for task in application.tasks { #expect(report[task]?.outcome == "succeeded", "\(report.command)") }
        #expect(report.runs.count == 9)
        station.expectNothingLeft()
    }
}
