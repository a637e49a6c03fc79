import Control
import Foundation
import TestSupport
import Testing

@Suite("Conformance: launches")
struct ConformanceLaunchTests {
    @Test(
        "Check 12: what completed without submitting itself again is not launched again, and nothing is left to wake for"
    )
    func once() throws {
        let daemon = try Conformance(["p1"]).serve()
        try daemon.work("submit p1", "complete")
        #expect(try daemon.ends("p1").outcome == "succeeded")
        // Whatever changes on the machine, and over a restart.
        try daemon.tell("device", "set", "power=battery", "network=none")
        try daemon.tell("device", "reset")
        #expect(try daemon.pending().isEmpty)
        #expect(try daemon.stop().status == 0)
        let next = try Daemon(daemon.station)
        #expect(try next.pending().isEmpty)
        #expect(try next.why("com.ex.app.p1").summary.hasPrefix("nothing is pending"))
        #expect(try next.runs("p1").count == 1)
        #expect(try next.stop().status == 0)
    }

    @Test("Check 16: after a force-quit no kind of background launch occurs until a user opens the application")
    func forceQuit() throws {
        var application = try Conformance(["r1", "p1", "h1", "p2"])
        application.setTask("p2", "schedule", ["every": "1s"])
        let daemon = try application.serve()
        try daemon.wait(for: "run.ended", "com.ex.app.p2")
        try daemon.tell("quit", Conformance.application)
        let names = ["r1", "p1", "h1"]
        for name in names { try daemon.tell("submit", Conformance.identifier(name)) }
        for name in names { #expect(try daemon.why(Conformance.identifier(name)).holding == ["forceQuit"]) }
        // The scheduled one is due again, and held as well.
        try daemon.waitUntilPending("p2", heldBy: ["forceQuit"])
        for name in names { #expect(try daemon.runs(name).isEmpty) }
        let before = try daemon.runs("p2").count
        #expect(try #require(try daemon.applicationState(Conformance.application)) == "notRunning")

        // Not by a restart of the host either.
        try daemon.kill()
        let next = try Daemon(application.station)
        for name in names { #expect(try next.why(Conformance.identifier(name)).holding == ["forceQuit"]) }
        #expect(try next.runs("p2").count == before)
        try next.tell("foreground", Conformance.application)
        for name in names { #expect(try next.ends(name).outcome == "succeeded") }
        try next.wait(for: "run.ended", "com.ex.app.p2")
        #expect(try next.stop().status == 0)
    }
}

extension Daemon {
    private struct Applications: Decodable {
        struct Application: Decodable {
            var identifier: String
            var state: String
        }
        var applications: [Application]
    }

    func applicationState(_ identifier: String) throws -> String? {
        let reply = try ask(.get, "/v1/applications")
        return try JSONDecoder().decode(Applications.self, from: Data(reply.body)).applications
            .first { $0.identifier == identifier }?.state
    }

    /// A date comes without an event while another gate is closed: asking again, a process each, is all that can be done.
    fileprivate func waitUntilPending(_ name: String, heldBy gates: [String]) throws {
        var patience = Patience()
        while try why(Conformance.identifier(name)).holding != gates {
            guard patience.milliseconds() != nil else {
                throw TestSupport.Problem("\(try why(Conformance.identifier(name)))")
            }
        }
    }
}
