import TaskModel
import TestSupport
import Testing
import Wire

/// What a worker promises of one run: to the host what it reports, to the plugin what it may rely on.
@Suite("Run services", .enabled(if: !Places.isSanitized))
struct RunServiceTests {
    private static let task = "org.example.services.refresh"

    /// An application that has registered its task.
    private func host() throws -> ScriptedHost {
        let host = try ScriptedHost(launch: ["register \(Self.task)"])
        try host.next(.ready)
        return host
    }

    private func reports(_ frames: [ScriptedHost.Received]) throws -> [ProgressReport] {
        try frames.filter { $0.kind == .progress }.map {
            try $0.read { (r) throws(WireError) in try ProgressReport(from: &r) }
        }
    }

    /// Ten thousand reports take some milliseconds; one that is not held back goes out every tenth of a second.
    @Test func `Of many progress reports few are sent, and the last one before the completion`() throws {
        let host = try host()
        host.start(["progress-to 10000"])
        let reports = try reports(host.through(.completed))
        #expect(reports.first?.completed == 1)
        #expect(reports.last?.completed == 10_000)
        #expect(reports.map(\.completed) == Set(reports.map(\.completed)).sorted(), "each once, rising")
        #expect(reports.count < 1000)
        #expect(try self.reports(host.taken(.progress)).isEmpty)
    }

    @Test func `What a run has printed is in the pipe before the host learns of its end`() throws {
        let host = try host()
        host.start(["print half a line"])
        try host.next(.completed)
        #expect(host.unfinishedLine == "half a line")
    }

    /// As many runs as the table keeps ended ones back: the plugin's mistake meets a dead run, not a neighbour.
    @Test func `A task that is used after its end is no other run for a good while`() throws {
        let host = try host()
        host.start(["keep"])
        try host.next(.completed)
        for _ in 0..<16 {
            let run = host.start(["complete-kept"])
            try #require(try host.line("kept") == "kept 1")
            let end = try host.next(.completed)
            #expect(end.run == run)
            let completion = try end.bytes.withUnsafeBytes { try Completion(reading: $0) }
            try #require(completion.success, "by itself, not by the other")
        }
    }

    @Test func `A run is warned once, however often it expires and whatever handler it sets then`() throws {
        let host = try host()
        let run = host.start(["stay-whatever-comes"])
        // Its handler is set.
        try host.line("staying")
        for _ in 0..<3 { host.expire(run) }
        #expect(try host.line("run noticed") == "run noticed 1")
        host.start(["expect-kept"])
        try host.line("expected")
        try host.next(.completed)
        host.expire(run)
        host.start(["complete-kept"])
        #expect(try host.line("kept") == "kept 0", "it was still under way")
        try host.next(.completed)
        try host.next(.completed)
        #expect(!host.unreadLines.contains { $0.hasPrefix("run noticed") })
        #expect(host.taken(.diagnostic).isEmpty, "none of them found it without a handler")
    }
}
