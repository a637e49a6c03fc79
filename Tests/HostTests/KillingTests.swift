import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A host that is killed")
struct KillingTests {
    /// What was running when it was killed.
    struct Scene: CustomStringConvertible {
        var description: String
        var handlers: [String: String]
    }

    static let scenes = [
        Scene(description: "a spinning worker", handlers: ["spin": "stage_spin"]),
        Scene(description: "a tree of children", handlers: ["tree": "stage_tree"]),
        Scene(
            description: "twenty runs in flight",
            handlers: Dictionary(uniqueKeysWithValues: (10..<30).map { ("wait\($0)", "stage_wait") })),
    ]

    @Test("takes its workers along, and its successor names what was interrupted", arguments: scenes, ["auto", "none"])
    func killed(_ scene: Scene, control: String) throws {
        let station = try Station()
        try station.configure("control", control)
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        let application = try station.add(ManifestText(stage: "org.taskhost.kill", scene.handlers))
        #expect(try station.run(noop, "--repeat", "5").command.succeeded)
        let acknowledged = try station.history()

        let host = try station.start(["run", application.identifier])
        try host.wait(forText: "started", count: scene.handlers.count)
        try host.signal(SIGKILL)
        #expect(try host.finish().signal == SIGKILL)
        station.expectEveryProcessEnds()

        #expect(try station.run(noop).command.succeeded)
        let runs = try station.history()
        #expect(Array(runs.prefix(5)) == acknowledged)
        let interrupted = runs.dropFirst(5).dropLast()
        #expect(interrupted.map(\.identifier).sorted() == application.tasks)
        for run in interrupted {
            #expect(run.outcome == "interrupted", "\(run)")
            #expect(run.endedAt != nil, "\(run)")
            #expect(try station.show(run).events?.last?.event == "interrupted")
        }
        #expect(runs.last?.identifier == noop && runs.last?.outcome == "succeeded")
        station.expectNothingLeft()
    }

    @Test("lets no other host use its state folder while it lives, and any host afterwards")
    func lock() throws {
        let station = try Station()
        let noop = try station.add(fixture: "fixtures.noop").tasks[0]
        let wait = try station.add(ManifestText(stage: "org.taskhost.kill", ["wait": "stage_wait"])).tasks[0]
        let host = try station.start(["run", wait])
        try host.wait(forText: "started")
        let second = try station.run(noop).command
        #expect(second.status == 69)
        #expect(second.errors.contains("process \(host.pid)"), "\(second.errors)")
        try host.signal(SIGKILL)
        #expect(try host.finish().signal == SIGKILL)
        #expect(try station.history().map(\.identifier) == [wait])
        #expect(try station.run(noop).command.succeeded)
        station.expectNothingLeft()
    }
}
