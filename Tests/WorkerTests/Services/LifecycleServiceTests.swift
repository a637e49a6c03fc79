import Foundation
import TaskModel
import TestSupport
import Testing
import Wire

/// State, background time and assertions, as an application sees them.
@Suite("Lifecycle services", .enabled(if: !Places.isSanitized))
struct LifecycleServiceTests {
    private static let refresh = "org.example.services.refresh"

    private func began(_ host: ScriptedHost) throws -> AssertionBegan {
        try host.next(.assertionBegan).read { (r) throws(WireError) in try AssertionBegan(from: &r) }
    }

    private func ended(_ host: ScriptedHost) throws -> UInt64 {
        try host.next(.assertionEnded).read { (r) throws(WireError) in try AssertionEnded(from: &r) }.id
    }

    @Test func `An application is in the background until it gets another state, and knows its state in launch`() throws
    {
        let untold = try ScriptedHost(launch: ["state"])
        #expect(try untold.line("in state").hasPrefix("in state 3 refresh 2 remaining 30"))
        let told = try ScriptedHost(
            launch: ["state"], status: ApplicationStatus(state: .inactive, backgroundRefresh: .denied))
        #expect(try told.line("in state").hasPrefix("in state 1 refresh 1 remaining 1.79769e+308"))
        try told.next(.ready)
    }

    @Test(arguments: ["services", "services-main"])
    func `State changes come one after the other on their thread, with the new state set`(_ library: String) throws {
        let host = try ScriptedHost(library, status: ApplicationStatus(state: .inactive))
        try host.next(.ready)
        for (number, state) in [ApplicationState.active, .inactive, .background].enumerated() {
            host.send(ApplicationStatus(state: state, callID: UInt32(number + 1)).frame())
            // A change of something else calls no handler.
            host.send(ApplicationStatus(state: state, backgroundRefresh: .denied).frame())
        }
        let thread = library == "services" ? "main" : "other"
        // The state is that of the last change that was read, and later ones may have been.
        for (state, known) in [(2, [2, 1, 3]), (1, [1, 3]), (3, [3])] {
            let line = try host.line("changed")
            #expect(known.contains { line == "changed to \(state) while \($0) on \(thread)" }, "\(line)")
        }
        host.send(.terminate)
        try host.line("terminating on \(thread)")
        #expect(try host.end().status == 0)
    }

    @Test func `The network and the ends of suspensions are told to the function that asked first, and to no other`()
        throws
    {
        let host = try ScriptedHost(launch: ["watch", "watch"])
        try host.line("watching 0 0")
        try host.line("watching 2 2")
        try host.next(.watchNetwork)
        try host.next(.ready)
        for access in NetworkAccess.allCases {
            host.send(NetworkFrame(access).frame())
            try host.line("network \(access.rawValue)")
        }
        var status = ApplicationStatus(state: .background)
        host.send(status.frame())
        status.endsSuspension = true
        host.send(status.frame())
        try host.line("continues")
        host.send(.terminate)
        #expect(try host.end().status == 0)
    }

    @Test func `News of the network that nobody asked for is ignored`() throws {
        let host = try ScriptedHost(launch: ["state"])
        try host.next(.ready)
        host.send(NetworkFrame(.ok).frame())
        var status = ApplicationStatus(state: .active, callID: 1)
        status.endsSuspension = true
        host.send(status.frame())
        try host.line("changed to 2 while 2 on main")
        host.send(.terminate)
        #expect(try host.end().status == 0)
    }

    @Test func `State changes come on the main thread while handlers are busy`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        host.start(["submit \(Self.refresh) 1 0 0"])
        let question = try host.next(.submitRequest)
        host.send(ApplicationStatus(state: .active, callID: 1).frame())
        try host.line("changed to 2 while 2 on main")
        host.accept(question)
        try host.next(.completed)
    }

    @Test(arguments: ["services", "services-main"])
    func `A change that comes in launch is set at once and called when launch has returned`(_ library: String) throws {
        let host = try ScriptedHost(
            library, launch: ["submit \(Self.refresh) 1 0 0", "submit \(Self.refresh) 1 0 0", "state"],
            status: ApplicationStatus(state: .inactive))
        let first = try host.next(.submitRequest)
        host.send(ApplicationStatus(state: .active, callID: 1).frame())
        host.accept(first)
        host.accept(try host.next(.submitRequest))
        #expect(try host.line("in state").hasPrefix("in state 2"))
        #expect(!(try host.line("changed to 2")).contains("in launch"))
    }

    @Test func `Assertions have rising ids, are reported with their names, and end once`() throws {
        let host = try ScriptedHost(
            launch: [
                "begin a", "begin-silently", "open", "end 1", "end 1", "begin c", "end 0", "end 99", "end 99", "end 1",
            ])
        for expected in ["began 1", "began 2", "open 2"] { try host.line(expected) }
        for expected in ["ended 0", "ended 3"] { try host.line(expected) }
        try host.line("began 3")
        for _ in 0..<4 { try host.line("ended 3") }
        try host.next(.ready)
        for (id, name): (UInt64, String) in [(1, "a"), (2, ""), (3, "c")] {
            let assertion = try began(host)
            #expect(assertion.id == id && assertion.name == name)
        }
        #expect(try ended(host) == 1)
        #expect(host.taken(.assertionBegan).isEmpty && host.taken(.assertionEnded).isEmpty)
        // Each number once, and nothing of 0.
        let misuses = try host.taken(.misuse).map {
            try $0.read { (r) throws(WireError) in try SentenceReport(from: &r) }.sentence
        }
        #expect(
            misuses == [
                "assertion 1 was ended, and it has ended already; end each one once, by its own number",
                "assertion 99 was ended, and no assertion has that number; end each one once, by its own number",
            ])
    }

    @Test(arguments: [("n", 128), ("é", 64), ("半", 42), ("🦊", 32)])
    func `A long name is cut between characters`(_ letter: String, _ kept: Int) throws {
        let name = String(repeating: letter, count: 200 / letter.utf8.count)
        let host = try ScriptedHost(launch: ["begin \(name)"])
        #expect(try began(host).name == String(repeating: letter, count: kept))
    }

    @Test func `The code that began an assertion is reported, from the caller in the library on`() throws {
        let host = try ScriptedHost(launch: ["begin a", "in-thread begin b"])
        let library = try Places.built.get().appending(path: "libservices.so").path
        for _ in 0..<2 {
            let frames = try began(host).frames
            #expect((2...OpenAssertion.maximumFrames).contains(frames.count), "\(frames)")
            // perform(), which launch() or the thread's function called.
            #expect(frames.prefix(2).allSatisfy { $0.module == library && $0.offset > 0 }, "\(frames)")
        }
    }

    @Test func `When background time is about to end the handlers are called in turn, once, and no assertion begins`()
        throws
    {
        let end = Instant(nanoseconds: .max - 1)
        let host = try ScriptedHost(
            launch: ["register \(Self.refresh)", "begin a", "begin b", "begin c", "end 2", "begin-silently d"],
            status: ApplicationStatus(state: .background, backgroundEnd: end))
        try host.next(.ready)
        host.send(.expireAssertions)
        host.send(.expireAssertions)
        #expect(try host.line("assertion") == "assertion 1 expired on other")
        #expect(try host.line("assertion") == "assertion 3 expired on other")
        for expected: UInt64 in [2, 1, 3] { #expect(try ended(host) == expected) }
        // A run extends nothing while one is held.
        host.start(["begin late", "end 4"])
        try host.line("began 0")
        try host.next(.completed)
        #expect(try ended(host) == 4)
        // Background time starts again after a run that began without one.
        host.start(["begin again", "end 5"])
        try host.line("began 5")
        host.send(.expireAssertions)
        host.send(ApplicationStatus(state: .active, backgroundEnd: end, callID: 1).frame())
        try host.line("changed to 2")
        host.start(["begin in-front"])
        try host.line("began 6")
    }

    @Test func `An assertion that turns out to be too late has its handler called`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)", "begin a"])
        try host.next(.ready)
        host.send(.expireAssertions)
        #expect(try host.line("assertion") == "assertion 1 expired on other")
        host.send(ApplicationStatus(state: .background, backgroundEnd: Instant(nanoseconds: .max - 1)).frame())
        host.start(["begin b"])
        try host.line("began 2")
        host.send(.expireAssertions)
        #expect(try host.line("assertion") == "assertion 2 expired on other")
    }

    @Test func `Background time that has ended gives no assertion, and none remains`() throws {
        let host = try ScriptedHost(
            launch: ["begin a", "state"],
            status: ApplicationStatus(state: .background, backgroundEnd: Instant(nanoseconds: 1)))
        try host.line("began 0")
        #expect(try host.line("in state").hasSuffix("remaining 0"))
    }

    @Test func `While a run continues, the whole background time remains`() throws {
        let host = try ScriptedHost(
            launch: ["register \(Self.refresh)"],
            status: ApplicationStatus(state: .background, backgroundTime: .seconds(180)))
        try host.next(.ready)
        host.start(["state"])
        #expect(try host.line("in state") == "in state 3 refresh 2 remaining 180")
    }

    @Test func `The number of assertions is bounded`() throws {
        let host = try ScriptedHost(launch: ["begin-many"])
        try host.line("began 1024 in all")
    }

    // MARK: Callbacks

    @Test(arguments: ["services", "services-main"])
    func `Every change is notified in UIKit's order, after state_changed, and answered when all have returned`(
        _ library: String
    ) throws {
        let host = try ScriptedHost(library, status: ApplicationStatus(state: .inactive))
        try host.next(.ready)
        let thread = library == "services" ? "main" : "other"
        let steps: [(ApplicationState, [String])] = [
            (.inactive, []), (.active, ["didBecomeActive"]), (.inactive, ["willResignActive"]),
            (.background, ["didEnterBackground"]), (.background, []), (.inactive, ["willEnterForeground"]),
            (.active, ["didBecomeActive"]), (.background, ["willResignActive", "didEnterBackground"]),
            (.active, ["willEnterForeground", "didBecomeActive"]),
        ]
        for (number, (state, _)) in steps.enumerated() {
            host.send(ApplicationStatus(state: state, callID: UInt32(number + 1)).frame())
        }
        var last = ApplicationState?.none
        for (number, (state, events)) in steps.enumerated() {
            let answer = try host.next(.returned)
            #expect(answer.run.callID == UInt32(number + 1))
            if state != last { try host.line("changed to \(state.rawValue)") }
            for event in events { try host.line("event \(event) in \(state.rawValue) of 40 bytes on \(thread)") }
            last = state
        }
        host.send(.terminate)
        try host.line("terminating on \(thread)")
        try host.line("event willTerminate in 2")
        #expect(try host.end().status == 0)
        #expect(host.unreadLines.filter { $0.hasPrefix("event") || $0.hasPrefix("changed") }.isEmpty)
    }

    @Test(arguments: ["services", "services-main"])
    func `A task that comes behind a change of state starts when its callbacks have returned`(_ library: String) throws
    {
        let host = try ScriptedHost(library, launch: ["register \(Self.refresh)", "linger"])
        try host.next(.ready)
        host.send(ApplicationStatus(state: .background, callID: 1).frame())
        host.start([])
        try host.next(.completed)
        let order = host.unreadLines.filter {
            $0.hasPrefix("event") || $0.hasPrefix("lingered") || $0.hasPrefix("run ")
        }
        #expect(order.map { String($0.prefix(8)) } == ["event di", "lingered", "run org."], "\(host.unreadLines)")
    }

    @Test func `An application without callbacks answers at once`() throws {
        let host = try ScriptedHost("silent")
        try host.next(.ready)
        host.send(ApplicationStatus(state: .background, callID: 1).frame())
        host.send(ApplicationStatus(state: .background).frame())
        host.send(ApplicationStatus(state: .inactive, callID: 2).frame())
        #expect(try host.next(.returned).run.callID == 1)
        #expect(try host.next(.returned).run.callID == 2)
        host.send(.terminate)
        #expect(try host.end().status == 0)
        #expect(host.taken(.returned).isEmpty)
    }

    // MARK: Expiring activities

    @Test func `An activity that continues when time ends is called again beside itself`() throws {
        let host = try ScriptedHost(launch: ["perform reading the news"])
        try host.line("performing 0")
        #expect(try began(host).name == "reading the news")
        #expect(try host.line("activity context") == "activity context expired 0 on other")
        try host.next(.ready)
        #expect(host.taken(.assertionEnded).isEmpty)
        host.send(.expireAssertions)
        #expect(try host.line("activity context") == "activity context expired 1 on other")
        try host.line("activity over 1")
        try host.line("activity over 0")
        #expect(try ended(host) == 1)
    }

    @Test func `An activity that is done when time ends is not called again`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)", "perform a", "finish-activity"])
        try host.line("activity over 0")
        #expect(try ended(host) == 1)
        try host.next(.ready)
        host.send(.expireAssertions)
        host.start(["open"])
        try host.line("open 0")
        #expect(!host.unreadLines.contains { $0.hasPrefix("activity context expired 1") })
    }

    @Test func `Without time an activity is called once, as expired`() throws {
        let host = try ScriptedHost(
            launch: ["perform a", "perform "],
            status: ApplicationStatus(state: .background, backgroundEnd: Instant(nanoseconds: 1)))
        try host.line("performing 0")
        try host.line("performing 2")
        #expect(try host.line("activity context") == "activity context expired 1 on other")
        try host.line("activity over 1")
        #expect(host.taken(.assertionBegan).isEmpty)
        #expect(!host.unreadLines.contains { $0.hasPrefix("activity context") })
    }

    // MARK: Fetches

    @Test func `An interval for fetches is sent in whole seconds`() throws {
        let host = try ScriptedHost(
            launch: ["0", "0.1", "3600", "1e300", "1.7976931348623157e308", "-1", "nan"].map { "fetch-interval \($0)" })
        for expected in [0, 0, 0, 0, 0, 2, 2] { try host.line("interval \(expected)") }
        for expected: Int64? in [0, 1, 3600, nil, nil] {
            let interval = try host.next(.fetchInterval).read { (r) throws(WireError) in try FetchInterval(from: &r) }
            #expect(interval.seconds == expected)
        }
    }

    @Test(arguments: ["services", "services-main"])
    func `A fetch and a remote notification come where state changes come, and end in one of three words`(
        _ library: String
    ) throws {
        let host = try ScriptedHost(library)
        try host.next(.ready)
        host.send(ApplicationStatus(state: .background, callID: 1).frame())
        let thread = library == "services" ? "main" : "other"
        let results: [(UInt32, String, FetchResult, Bool)] = [
            (3, "performFetch", .newData, true), (3, "performFetch", .failed, false),
            (4, "didReceiveRemoteNotification", .noData, true),
        ]
        for (task, event, result, success) in results {
            host.start(["complete-event \(result.rawValue)", "complete-event 0"], task: task)
            try host.line("event \(event) in 3 of 40 bytes on \(thread)")
            try host.line("event 0")
            try host.line("event 1")
            let completion = try host.next(.completed).bytes.withUnsafeBytes { try Completion(reading: $0) }
            #expect(completion == Completion(success: success, result: .fetch(result)))
        }
        // No other number counts, and what is dropped is reported as it is for any task.
        host.start(["complete-event 3"], task: 3)
        try host.line("event 2")
        try host.next(.unreported)
    }

    @Test func `An expiration completes no fetch`() throws {
        let host = try ScriptedHost()
        try host.next(.ready)
        let run = host.start(["submit \(Self.refresh) 1 0 0", "complete-event 1"], task: 3)
        let question = try host.next(.submitRequest)
        var frame = FrameWriter(.expire, run: run)
        frame.integer(UInt32(Reason.userCancelled.rawValue))
        host.send(frame.finished() ?? [])
        host.accept(question)
        let completion = try host.next(.completed).bytes.withUnsafeBytes { try Completion(reading: $0) }
        #expect(completion == Completion(success: true, result: .fetch(.noData)))
    }

    @Test func `Without an event callback a fetch is declined, and the sentence says what to do`() throws {
        let host = try ScriptedHost("silent")
        try host.next(.ready)
        host.start([], task: 3)
        let sentence = try host.next(.declined).read { (r) throws(WireError) in try r.text() }
        #expect(
            sentence
                == "the application has no event callback, which org.example.services:fetch is delivered by; set event in "
                + "its taskhost_application_v1, or take the mode out of the manifest's backgroundModes")
    }

    @Test func `Only a fetch is completed as one`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        host.start(["complete-event 0"])
        try host.line("event 2")
        let completion = try host.next(.completed)
        #expect(try completion.bytes.withUnsafeBytes { try Completion(reading: $0) } == Completion(success: true))
    }
}
