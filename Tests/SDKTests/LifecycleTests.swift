import Foundation
import TestSupport
import Testing

@Suite("Application delegates")
struct LifecycleTests {
    @Test("@UIApplicationMain launches on the main thread, unoptimized and optimized", arguments: ["", "Fast"])
    func oldStyle(_ variant: String) throws {
        let id = "com.ex.app.r1"
        let lines = try Worker.run("OldStyle\(variant)", permitted: ["1:r1"], ["run=\(id)", "end=\(id)"]).lines
        #expect(lines.contains("launched 1 true true"))
        #expect(lines.last == "completed com.ex.app.r1 success")
    }

    @Test("are the main actor's; a handler made in one is called where it was registered for")
    func mainActor() throws {
        let id = "com.ex.app.p1"
        let lines = try Worker.run(
            "MainActorDelegate", permitted: ["2:p1"], ["state=3", "run=\(id)", "end=\(id)", "terminate=1"]
        ).lines
        #expect(lines.contains("calls 3 true"))
        #expect(lines.contains("log \(id) 2 handler main false"))
        #expect(lines.contains("log \(id) 2 task main true"))
        #expect(lines.contains("completed \(id) success"))
        #expect(lines.last == "calls 5 true")
    }

    @Test("need not be responders: one that is any NSObject is made by its own init()")
    func object() throws {
        let lines = try Worker.run("ObjectDelegate", ["state=3"]).lines
        #expect(lines.contains("made 6 true"))
        // Of the 512 MiB that the manifest allows, in a process of a few.
        let left = lines.first { $0.hasPrefix("memory ") }.flatMap { Int($0.dropFirst(7)) }
        #expect((384..<512).contains(try #require(left)))
    }

    @Test("learn about every change on the main thread, each before its notification")
    func order() throws {
        let steps = ["state=3", "state=2", "state=3", "terminate=1"]
        let lines = try Worker.run("Delegate", options: ["--state", "3"], steps).lines
        let heard = lines.filter { $0.hasSuffix(" true") && !$0.hasPrefix("valid") }
        #expect(
            heard == [
                "init background true", "willFinishLaunching background true",
                "didFinishLaunching background true",
                "didEnterBackground background true", "UIApplicationDidEnterBackgroundNotification background true",
                "willEnterForeground background true",
                "UIApplicationWillEnterForegroundNotification background true",
                "didBecomeActive active true", "UIApplicationDidBecomeActiveNotification active true",
                "willResignActive active true", "UIApplicationWillResignActiveNotification inactive true",
                "didEnterBackground background true", "UIApplicationDidEnterBackgroundNotification background true",
                "willTerminate background true", "UIApplicationWillTerminateNotification background true",
            ])
    }

    @Test("learn that they are in the background before a task of theirs starts, though the task was called for first")
    func taskFirst() throws {
        let id = "com.ex.app.p1"
        let folder = try Folder()
        let options = ["--state", "3", "--tell", "0", "--folder", folder.url.path]
        let steps = ["run=\(id)", "state=3", "end=\(id)"]
        let lines = try Worker.run("Transitions", permitted: ["2:p1"], options: options, steps).lines
        let heard = lines.drop { $0 != "didEnterBackground" }
        #expect(heard.prefix(3) == ["didEnterBackground", "UIApplicationDidEnterBackgroundNotification", "event"])
    }

    @Test("Checks 33 and 34: background time ends on the main thread, and misuse is reported, not fatal")
    func backgroundTime() throws {
        let run = try Worker.run(
            "Delegate", ["state=3", "text=sync", "assertions=1", "text=still not ended", "state=2"])
        #expect(run.command.succeeded)
        #expect(run.lines.contains("remaining 29.0"))
        #expect(run.lines.contains("valid true true"))
        #expect(run.lines.contains("time is up background true"))
        #expect(run.lines.contains("assertion-ended 1"))
        let reports = run.lines.filter { $0.hasPrefix("report ") }
        #expect(reports.contains { $0.contains("no background task exists with identifier 1 (0x1)") })
        #expect(
            reports.contains { $0.contains("Background task still not ended after expiration handlers were called: 2") }
        )
    }

    @Test("Checks 33 and 34: expiration handlers are called one after the other, each until it has returned")
    func expirations() throws {
        let lines = try Worker.run("BackgroundTime", options: ["--state", "3"], ["state=3", "assertions=1"]).lines
        #expect(
            lines.filter { $0.hasPrefix("expired") || $0.hasPrefix("returned") || $0.hasPrefix("assertion") } == [
                "assertion 1 first", "assertion 2 second", "assertion 3 ", "assertion 4 leaked", "assertion 5 helped",
                "assertion 6 without a handler", "assertion 7 last",
                "expired 0 true", "assertion-ended 1", "assertion-ended 2", "returned 0",
                "expired 2 true", "assertion 8 inside", "assertion-ended 8", "assertion-ended 3", "returned 2",
                "expired 3 true", "returned 3", "expired 4 true", "returned 4",
                "expired 6 true", "assertion-ended 5", "assertion-ended 6", "assertion-ended 7", "returned 6",
            ])
        let reports = Worker.reports(lines)
        #expect(reports.count == 1, "one may end another's, and the end of .invalid is nothing: \(reports)")
        let words = "still not ended after expiration handlers were called: 4 (\"leaked\")"
        #expect(reports.first?.contains(words) == true)
    }

    @Test("Check 34: what is not ended is reported also where another one ends after the last handler")
    func lateEnd() throws {
        let lines = try Worker.run(
            "LateBackgroundTime", options: ["--state", "3"],
            ["state=3", "assertions=1", "text=assertion-ended 2", "state=2"]
        ).lines
        let reports = Worker.reports(lines)
        #expect(reports.count == 1 && reports[0].contains("handlers were called: 1 (\"leaked\")"), "\(lines)")
    }

    @Test("Check 36: an expiring activity is called a second time beside the first")
    func activity() throws {
        let run = try Worker.run(
            "Delegate", ["state=3", "text=inside", "assertions=1", "text=assertion-ended 3", "state=2"])
        #expect(run.lines.filter { $0.hasPrefix("activity") } == ["activity false", "activity true"])
    }
}
