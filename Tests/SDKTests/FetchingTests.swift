import Foundation
import TestSupport
import Testing

@Suite("Background fetch and remote notifications")
struct FetchingTests {
    private func run(_ library: String, options: [String] = [], _ steps: [String]) throws -> [String] {
        let folder = try Folder()
        return try Worker.run(library, options: options + ["--folder", folder.url.path], steps).lines
    }

    @Test("the interval is the host's to keep: never is the largest number")
    func interval() throws {
        let lines = try run("Fetching", ["state=3"])
        let intervals = lines.filter { $0.hasPrefix("fetch-interval") }
        #expect(intervals == ["fetch-interval 0", "fetch-interval 3600", "fetch-interval 1.79769e+308"])
        let old = try run("Fetching", options: ["--old-host", "1"], ["state=3"])
        let report = old.first { $0.hasPrefix("report setMinimumBackgroundFetchInterval") }
        #expect(report?.hasSuffix("has no effect; this host has no background fetch; update it") == true, "\(old)")
    }

    @Test("a fetch is answered from any thread, after the background callback; its log lines are its own")
    func fetch() throws {
        let lines = try run("Fetching", ["state=3", "fetch=1", "end=com.ex.app:fetch"])
        let heard = lines.filter { line in ["background", "log ", "answered"].contains { line.hasPrefix($0) } }
        #expect(heard == ["background", "log com.ex.app:fetch 1 fetch 1, main true", "answered com.ex.app:fetch 0"])
        #expect(Worker.reports(lines).isEmpty)
    }

    @Test("of several answers the first counts, and the others are noted once")
    func twice() throws {
        let lines = try run("Fetching", ["state=3", "fetch=1", "end=com.ex.app:fetch", "fetch=1"])
        let answers = lines.filter { $0.hasPrefix("answered") }
        #expect(answers == ["answered com.ex.app:fetch 0", "answered com.ex.app:fetch 1"])
        let reports = Worker.reports(lines)
        #expect(reports.count == 1)
        #expect(reports.first?.contains("WithCompletionHandler was called more than once; the first") == true)
    }

    @Test("one that is never answered is kept until its time is up, though the application let go of its handler")
    func never() throws {
        let lines = try run(
            "Fetching",
            ["state=3", "fetch=1", "end=com.ex.app:fetch", "fetch=1", "fetch=1", "state=1"])
        #expect(lines.filter { $0.contains("fetch 3, main true") }.count == 1)
        #expect(lines.filter { $0.hasPrefix("answered") }.count == 2)
        #expect(!lines.contains { $0.hasPrefix("unreported") }, "its end is a timeout, not a loss")
    }

    @Test("a remote notification brings its payload as userInfo")
    func push() throws {
        let payload = #"{ "aps": { "content-available": 1 }, "word": "news" }"#
        let lines = try run("Fetching", options: ["--mode", "remote-notification"], ["state=3", "push=\(payload)"])
        #expect(lines.contains("push 2 1 news true"))
        #expect(lines.contains("answered com.ex.app:push 2"))
        let bad = try run("Fetching", options: ["--mode", "remote-notification"], ["state=3", "push=[1]"])
        #expect(bad.contains("push 0 -1 no word true"))
        #expect(bad.contains { $0.hasPrefix("report the payload of a remote notification is not a JSON object") })
    }

    @Test("a delegate may have the asynchronous form alone; one that has no method has nothing new")
    func asynchronous() throws {
        let steps = ["state=3", #"push={"a":1,"b":2}"#, "end=com.ex.app:push", "fetch=1", "end=com.ex.app:fetch"]
        let lines = try run("AsyncPush", steps)
        #expect(lines.contains("push 2 true"))
        #expect(
            lines.filter { $0.hasPrefix("answered") } == ["answered com.ex.app:push 0", "answered com.ex.app:fetch 1"])
        let none = try run("Delegate", ["state=3", "push={}", "end=com.ex.app:push"])
        #expect(none.contains("answered com.ex.app:push 1"))
    }

    @Test("the token is the application's own, and is kept until it is given back")
    func token() throws {
        let folder = try Folder()
        let options = ["--mode", "remote-notification", "--folder", folder.url.path]
        func lines(_ steps: [String]) throws -> [String] {
            try Worker.run("Fetching", options: options, steps).lines
                .filter { $0.hasPrefix("token") || $0.hasPrefix("registered") }
        }
        // A fetch comes to the main thread behind the token.
        let first = try lines(["state=3", "fetch=1"])
        let second = try lines(["state=3", "fetch=1", "push={}"])
        #expect(first.count == 3 && first.first == "registered false" && first.last == "registered true")
        #expect(first[1].count == "token ".count + 64 + " true".count)
        #expect(second == ["registered true", first[1], "registered true", "registered false"])
        #expect(try lines(["state=3", "fetch=1"]).first == "registered false")
    }

    @Test("without the background mode there is no token, and the error says what is missing")
    func refused() throws {
        let lines = try run("Fetching", ["state=3", "fetch=1"])
        let error = try #require(lines.first { $0.hasPrefix("no token") })
        #expect(error.hasPrefix("no token NSCocoaErrorDomain 3000 ") && error.contains("\"remote-notification\""))
        #expect(!lines.contains("registered true"))
    }
}
