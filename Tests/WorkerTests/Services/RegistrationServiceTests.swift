import TaskModel
import TestSupport
import Testing
import Wire

/// Handlers are registered at any time, also for what a wildcard stands for.
@Suite("Registration by the scheduling services", .enabled(if: !Places.isSanitized))
struct RegistrationServiceTests {
    private static let refresh = "org.example.services.refresh"
    private static let export = "org.example.services.export"

    @Test func `The runs of an application that registers nothing are declined`() throws {
        let host = try ScriptedHost()
        try host.next(.ready)
        let run = host.start(["state"])
        let declined = try host.next(.declined)
        #expect(declined.run == run)
        let sentence = try declined.read { (r) throws(WireError) in try r.text() }
        #expect(sentence == "the application has registered no handler for \(Self.refresh)")
    }

    @Test(arguments: [
        "org.example.services", "org.example.services.refreshing", export, "\(export).", "\(export).a.b",
        "\(export).*.*", "", String(repeating: "i", count: 256), "\(export)x.a",
    ])
    func `An identifier that the manifest does not permit is unknown`(_ identifier: String) throws {
        let host = try ScriptedHost(launch: ["register \(identifier)"])
        #expect(try host.line("registered") == "registered 3")
        try host.next(.ready)
    }

    @Test func `Registering again replaces the handler, which at launch it does not`() throws {
        let host = try ScriptedHost(launch: [
            "register \(Self.refresh)", "register-at-launch \(Self.refresh)", "register-again \(Self.refresh)",
            "register \(Self.export).a", "register-again \(Self.export).a",
        ])
        for expected in [0, 2, 0, 0, 0] { #expect(try host.line("registered") == "registered \(expected)") }
        try host.next(.ready)
        host.start([])
        try host.line("the new handler ran \(Self.refresh)")
        host.start([], task: 2, as: "\(Self.export).a")
        try host.line("the new handler ran \(Self.export).a")
    }

    @Test func `A run of a wildcard has its own identifier, handler, title and subtitle`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)", "register \(Self.export).a"])
        try host.next(.ready)
        host.start(["update-title New|Newer"], task: 2, as: "\(Self.export).a", title: "Export", subtitle: "of a")
        #expect(try host.line("run") == "run \(Self.export).a titled 0 [Export] [of a] settings {}")
        let title = try host.next(.title).read { (r) throws(WireError) in try TitleReport(from: &r) }
        #expect(title == TitleReport(title: "New", subtitle: "Newer"))
        try host.line("updated 0")
        try host.next(.completed)
        let other = host.start([], task: 2, as: "\(Self.export).b")
        #expect(try host.next(.declined).run == other)
        host.start(["update-title New|Newer"])
        #expect(try host.line("run") == "run \(Self.refresh) titled 2 [] [] settings {}")
        try host.line("updated 2")
        try host.next(.completed)
        #expect(host.taken(.title).isEmpty)
    }

    @Test func `A handler for the wildcard itself serves what has no other handler`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.export).*", "register-again \(Self.export).a"])
        try host.next(.ready)
        host.start([], task: 2, as: "\(Self.export).a")
        try host.line("the new handler ran \(Self.export).a")
        host.start([], task: 2, as: "\(Self.export).z")
        try host.line("run \(Self.export).z")
    }

    @Test func `A long title is cut between characters`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.export).*"])
        try host.next(.ready)
        let long = "x" + String(repeating: "é", count: 200)
        host.start(["update-title \(long)|"], task: 2, as: "\(Self.export).a")
        let title = try host.next(.title).read { (r) throws(WireError) in try TitleReport(from: &r) }
        #expect(title.title == "x" + String(repeating: "é", count: 127))
    }
}
