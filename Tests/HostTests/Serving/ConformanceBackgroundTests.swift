import Control
import Foundation
import JSON
import TestSupport
import Testing

@Suite("Conformance: background time")
struct ConformanceBackgroundTests {
    private static let background = [
        "willResignActive", "didEnterBackground", "didEnterBackground posted",
    ]

    /// A daemon whose numbers are small, with the application in front and its plan for the background.
    private func inFront(_ steps: String...) throws -> Daemon {
        let application = try Conformance([])
        try application.station.configure("suspendAfter", "0s")
        try application.station.configure("limits", ["backgroundTime": "3s", "callback": "1s"])
        let daemon = try application.serve()
        try daemon.tell("foreground", Conformance.application)
        try daemon.waitUntil { try daemon.applicationState(Conformance.application) == "active" }
        let settings = try JSONSerialization.data(withJSONObject: ["steps": ["work": steps + ["complete"]]])
        let words = ["run", Conformance.identifier("work"), "--settings", String(decoding: settings, as: UTF8.self)]
        let run = try daemon.station.start(words, manifests: false).finish()
        #expect(run.succeeded, "\(run)")
        return daemon
    }

    private func trace(_ daemon: Daemon) throws -> [String] {
        let path = daemon.station.state + "/applications/\(Conformance.application)/state/trace"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// What came after the application was sent to the background.
    private func behind(_ daemon: Daemon) throws -> [String] {
        Array(try trace(daemon).drop { $0 != "willResignActive" })
    }

    private func waitUntilSuspended(_ daemon: Daemon) throws {
        try daemon.waitUntil { try daemon.applicationState(Conformance.application) == "suspended" }
    }

    private func terminations(_ daemon: Daemon) throws -> [String] {
        let all = try daemon.ask(.get, "/v1/terminations").document()["terminations"]?.array ?? []
        return all.map { "\($0["reason"]?.string ?? "-") \($0["code"]?.string ?? "-")" }
    }

    @Test("Check 32: time is without end in front; two stretches share one countdown, which begins with the background")
    func countdown() throws {
        let daemon = try inFront(
            "time front", "plan hold first", "plan time first", "plan beside sleep=1 hold=second time=second")
        try daemon.tell("background", Conformance.application)
        try waitUntilSuspended(daemon)
        func time(_ name: String) throws -> Double {
            let line = try trace(daemon).first { $0.hasPrefix("\(name) ") && !$0.contains("expired") }
            return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
        }
        #expect(try time("front") == .greatestFiniteMagnitude)
        let (first, second) = (try time("first"), try time("second"))
        #expect(first <= 3 && second <= first - 1, "\(first), \(second)")
        // Both were warned, and neither was given more than there was.
        #expect(
            try behind(daemon).filter { $0.contains("expired") }
                == ["first", "second"].map { "\($0) expired main true" })
        #expect(try terminations(daemon).isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "Check 33: handlers are called one after the other on the main thread; who ends is suspended, and who leaks is killed"
    )
    func handlers() throws {
        let daemon = try inFront("hold a", "plan hold b")
        try daemon.tell("background", Conformance.application)
        try waitUntilSuspended(daemon)
        #expect(
            try behind(daemon) == Self.background + [
                "a expired main true", "a returns", "b expired main true", "b returns",
            ])
        #expect(try terminations(daemon).isEmpty)
        #expect(try daemon.stop().status == 0)

        let leaking = try inFront("leak a")
        try leaking.tell("background", Conformance.application)
        try leaking.wait(for: "application.terminated", Conformance.application)
        #expect(try behind(leaking) == Self.background + ["a expired main true", "a returns"])
        #expect(try terminations(leaking) == ["backgroundTaskAssertionTimeout 0x8badf00d"])
        #expect(try leaking.stop().status == 0)
    }

    @Test("A main thread that is blocked keeps the handlers from being called, and its application ends")
    func blockedMain() throws {
        let daemon = try inFront("plan hold stuck", "plan blockMain")
        try daemon.tell("background", Conformance.application)
        try daemon.waitUntil { try daemon.applicationState(Conformance.application) == "notRunning" }
        #expect(try behind(daemon) == Self.background)
        #expect(try terminations(daemon) == ["backgroundTaskAssertionTimeout 0x8badf00d"])
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 34: ending an unknown one is a warning, and three stretches keep an application until all have ended")
    func nested() throws {
        let daemon = try inFront("misuse", "hold a", "hold b", "hold c", "plan endAll 0.2")
        let journal = try daemon.tell("journal")
        #expect(
            journal.contains("Can't end BackgroundTask: no background task exists with identifier 99"), "\(journal)")
        try daemon.tell("background", Conformance.application)
        try waitUntilSuspended(daemon)
        // A frozen one ends nothing.
        #expect(try behind(daemon) == Self.background + ["ends one of 3", "ends one of 2", "ends one of 1"])
        #expect(try terminations(daemon).isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "Check 35: didEnterBackground that blocks is killed by a watchdog; one that returns is followed by suspension")
    func blocks() throws {
        let daemon = try inFront()
        try daemon.tell("background", Conformance.application)
        try waitUntilSuspended(daemon)
        #expect(try behind(daemon) == Self.background)
        #expect(try daemon.stop().status == 0)

        let blocking = try inFront("plan sleep 6")
        try blocking.tell("background", Conformance.application)
        try blocking.wait(for: "application.terminated", Conformance.application)
        #expect(try terminations(blocking) == ["appWatchdog 0x8badf00d"])
        #expect(try behind(blocking) == Self.background.dropLast())
        // A launch for an event comes to it by way of didFinishLaunching.
        let before = try trace(blocking).count
        try blocking.work("note the event", "complete")
        #expect(
            try Array(trace(blocking).dropFirst(before).prefix(4)) == [
                "didFinishLaunching", "didEnterBackground", "didEnterBackground posted", "the event",
            ])
        #expect(try blocking.stop().status == 0)
    }

    @Test("Check 36: an activity that continues is called again beside itself, and once where there is no time")
    func activities() throws {
        let daemon = try inFront("activity")
        try daemon.tell("background", Conformance.application)
        try waitUntilSuspended(daemon)
        #expect(
            try trace(daemon).filter { $0.hasPrefix("activity") } == [
                "activity expired false", "activity expired true", "activity stops", "activity stopped",
            ])
        #expect(try terminations(daemon).isEmpty)
        #expect(try daemon.stop().status == 0)

        let late = try inFront("lateActivity")
        try late.tell("background", Conformance.application)
        try waitUntilSuspended(late)
        #expect(try trace(late).filter { $0.hasPrefix("late activity") } == ["late activity expired true"])
        #expect(try late.stop().status == 0)
    }
}
