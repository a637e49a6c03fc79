import Foundation
import TestSupport
import Testing

@Suite("SwiftUI applications")
struct SwiftUIApplicationTests {
    private static let session = "org.example.session"

    /// Runs the fixture; what it received is told apart by its first word.
    private func run(options: [String] = [], _ steps: [String]) throws -> [String] {
        let folder = try Folder()
        let options = options + ["--folder", folder.url.path]
        let environment = ["HOME": folder.url.path, "XDG_CONFIG_HOME": folder.url.path]
        return try Worker.run(
            "SwiftUIApp", permitted: ["1:r1", "2:p1", "2:p2"], options: options, environment: environment, steps
        ).lines
    }

    private func heard(_ lines: [String], _ words: String...) -> [String] {
        lines.filter { line in words.contains { line.hasPrefix("heard \($0)") } }.map { String($0.dropFirst(6)) }
    }

    @Test("are launched with their value, their delegate and their scenes, in this order, and register within that")
    func launch() throws {
        let lines = try run(["state=1", "state=2", "terminate=1"])
        #expect(
            lines.prefix { $0 != "launched 0" }.filter { !$0.hasPrefix("assertion") } == [
                "heard App.init true true", "heard didFinishLaunching true 0 true", "registered com.ex.app.p2",
                "heard Model.init true", "heard changes 0 true", "registered com.ex.app.r1",
                "registered com.ex.app.p1",
            ], "\(lines)")
        #expect(heard(lines, "willTerminate") == ["willTerminate true"])
        // The application has scenes, no body of a view is called, and the journal has nothing to say.
        let never = ["applicationDidBecomeActive", "the body is called", "the task is called"]
        #expect(!lines.contains { never.contains($0) || $0.hasPrefix("report") }, "\(lines)")
    }

    @Test("have a phase that follows their state, in every scene, with the value before")
    func phases() throws {
        let lines = try run([
            "state=1", "state=2", "state=1", "state=3", "state=4", "state=3", "state=2", "terminate=1",
        ])
        #expect(
            heard(lines, "phase", "other") == [
                "phase background inactive in inactive true", "phase without values true",
                "phase inactive active in active true", "phase without values true", "other true 1 true",
                "phase active inactive in inactive true", "phase without values true", "other false 2 true",
                "phase inactive background in background true", "phase without values true",
                "phase background inactive in inactive true", "phase without values true",
                "phase inactive active in active true", "phase without values true", "other true 3 true",
            ], "\(lines)")
        // What the phase is told in is not over before: the request was made.
        let submitted = try #require(lines.firstIndex { $0.hasPrefix("submitted com.ex.app.r1") })
        #expect(lines[..<submitted].contains("heard phase inactive background in background true"))
    }

    @Test("of a launch to the background stay in that phase; a value of the defaults is theirs and everyone's")
    func background() throws {
        let lines = try run(options: ["--state", "3"], ["state=3", "state=4", "state=3", "state=2", "state=3"])
        #expect(
            heard(lines, "phase background", "phase inactive", "phase active") == [
                "phase background inactive in inactive true", "phase inactive active in active true",
                "phase active inactive in inactive true", "phase inactive background in background true",
            ], "\(lines)")
        let more = try run(["state=2", "state=3", "text=told visits 1"])
        #expect(heard(more, "visits") == ["visits 1 1 true"], "\(more)")
    }

    @Test("complete a task with success when its action returns, and what that changed is seen by the scenes")
    func refresh() throws {
        let id = "com.ex.app.r1"
        let lines = try run(options: ["--state", "3"], ["state=3", "run=\(id)", "end=\(id)", "text=told changes 1"])
        #expect(
            lines.filter { $0.hasPrefix("heard refresh") || $0.hasPrefix("completed") } == [
                "heard refresh begins false false", "heard refresh ends false", "completed \(id) success",
            ], "\(lines)")
        #expect(
            heard(lines, "items", "changes") == ["changes 0 true", "items 0 1 true", "changes 1 true"], "\(lines)")
    }

    @Test("have the action of a task cancelled when its time is up; it is complete when the action has returned")
    func expiration() throws {
        let id = "com.ex.app.p1"
        let steps = ["state=3", "run=\(id)", "text=told endless", "expire=\(id)/1", "end=\(id)"]
        let lines = try run(options: ["--state", "3"], steps)
        #expect(
            lines.filter { $0.hasPrefix("endless") || $0.hasPrefix("expired") || $0.hasPrefix("completed") } == [
                "endless begins", "expired \(id)", "endless is cancelled", "endless ends", "completed \(id) success",
            ], "\(lines)")
    }

    @Test("run the action for a session instead of the delegate's method, and are done when it returns")
    func sessions() throws {
        let any = "org.example.any.1"
        let steps = [Self.session, any, "other"].flatMap { ["session=\($0)", "text=handled \($0)"] }
        let lines = try run(options: ["--state", "3"], ["state=3"] + steps + ["text=told number 2"])
        #expect(
            lines.filter { $0.contains("session ") || $0.hasPrefix("handled") } == [
                "heard session \(Self.session) true", "handled \(Self.session)", "heard session \(any) true",
                "handled \(any)", "heard delegate session other true", "handled other",
            ], "\(lines)")
        #expect(heard(lines, "number").last == "number 2 true", "an observable object: \(lines)")
    }

    @Test("are told of a task that the manifest lacks")
    func missing() throws {
        let lines = try Worker.run("SwiftUIApp", permitted: ["1:r1", "2:p2"], options: ["--state", "3"], ["state=3"])
            .lines
        let reports = lines.filter { $0.hasPrefix("report") }
        #expect(reports.count == 1 && reports[0].contains("the background task com.ex.app.p1 of a scene"), "\(lines)")
    }
}
