import TaskModel
import TestSupport
import Testing
import Wire

/// State, background time and assertions, as an application sees them.
@Suite("Lifecycle services", .enabled(if: !Places.isSanitized))
struct LifecycleServiceTests {
    private static let refresh = "org.example.services.refresh"

    private func count(_ host: ScriptedHost) throws -> UInt32 {
        try host.next(.assertions).read { (r) throws(WireError) in try AssertionCount(from: &r) }.count
    }

    @Test func `An application is in the background until it is told otherwise, and knows its state in launch`() throws
    {
        let untold = try ScriptedHost(launch: ["state"])
        #expect(try untold.line("in state").hasPrefix("in state 3 refresh 2 remaining 1.79769e+308"))
        let told = try ScriptedHost(
            launch: ["state"], status: ApplicationStatus(state: .inactive, backgroundRefresh: .denied))
        #expect(try told.line("in state").hasPrefix("in state 1 refresh 1 remaining 1.79769e+308"))
        try told.next(.ready)
    }

    @Test(arguments: ["services", "services-main"])
    func `State changes come one after the other on their thread, with the new state set`(_ library: String) throws {
        let host = try ScriptedHost(library, status: ApplicationStatus(state: .inactive))
        try host.next(.ready)
        for state in [ApplicationState.active, .inactive, .background] {
            host.send(ApplicationStatus(state: state).frame())
            // A change of something else calls nobody.
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

    @Test func `State changes come on the main thread while handlers are busy`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        host.start(["submit \(Self.refresh) 1 0 0"])
        let question = try host.next(.submitRequest)
        host.send(ApplicationStatus(state: .active).frame())
        try host.line("changed to 2 while 2 on main")
        host.accept(question)
        try host.next(.completed)
    }

    @Test(arguments: ["services", "services-main"])
    func `A change that comes in launch is set at once and called when launch is over`(_ library: String) throws {
        let host = try ScriptedHost(
            library, launch: ["submit \(Self.refresh) 1 0 0", "submit \(Self.refresh) 1 0 0", "state"],
            status: ApplicationStatus(state: .inactive))
        let first = try host.next(.submitRequest)
        host.send(ApplicationStatus(state: .active).frame())
        host.accept(first)
        host.accept(try host.next(.submitRequest))
        #expect(try host.line("in state").hasPrefix("in state 2"))
        #expect(!(try host.line("changed to 2")).contains("in launch"))
    }

    @Test func `Assertions have rising ids, are counted, and end once`() throws {
        let host = try ScriptedHost(launch: ["begin a", "begin b", "end 1", "end 1", "begin c", "end 0", "end 99"])
        for expected in ["began 1", "began 2"] { try host.line(expected) }
        for expected in ["ended 0", "ended 3"] { try host.line(expected) }
        try host.line("began 3")
        try host.line("ended 3")
        try host.line("ended 3")
        for expected: UInt32 in [1, 2, 1, 2] { #expect(try count(host) == expected) }
        try host.next(.ready)
        #expect(host.taken(.assertions).isEmpty)
    }

    @Test func `When background time is about to end the handlers are called in turn, once, and no assertion begins`()
        throws
    {
        let end = Instant(nanoseconds: .max - 1)
        let host = try ScriptedHost(
            launch: ["register \(Self.refresh)", "begin a", "begin b", "begin c", "end 2"],
            status: ApplicationStatus(state: .background, backgroundEnd: end))
        try host.next(.ready)
        host.send(.expireAssertions)
        host.send(.expireAssertions)
        #expect(try host.line("assertion") == "assertion 1 expired on other")
        #expect(try host.line("assertion") == "assertion 3 expired on other")
        for expected: UInt32 in [1, 2, 3, 2, 1, 0] { #expect(try count(host) == expected) }
        host.start(["begin late"])
        try host.line("began 0")
        try host.next(.completed)
        host.send(ApplicationStatus(state: .active, backgroundEnd: end).frame())
        try host.line("changed to 2")
        host.start(["begin again"])
        try host.line("began 4")
    }

    @Test func `Background time that is over gives no assertion, and none remains`() throws {
        let host = try ScriptedHost(
            launch: ["begin a", "state"],
            status: ApplicationStatus(state: .background, backgroundEnd: Instant(nanoseconds: 1)))
        try host.line("began 0")
        #expect(try host.line("in state").hasSuffix("remaining 0"))
    }

    @Test func `Without an end of its own, background time is that of the runs`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        host.start(["state"])
        let line = try host.line("in state")
        let seconds = try #require(line.split(separator: " ").last.flatMap { Double($0) })
        #expect(seconds > 0 && seconds <= 60)
    }

    @Test func `The number of assertions is bounded`() throws {
        let host = try ScriptedHost(launch: ["begin-many"])
        try host.line("began 1024 in all")
    }
}
