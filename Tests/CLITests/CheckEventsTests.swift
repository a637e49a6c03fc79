import Foundation
import Testing

/// Applications without tasks, which live by their events alone.
@Suite("taskhost check, of an application's events", .plainBuild)
struct CheckEventsTests {
    private static let source = """
        #include <stdio.h>
        #include <unistd.h>
        #include <taskhost.h>
        #include <taskhost_scheduling.h>
        #include <taskhost_transfer.h>
        static const taskhost_transfer_t *transfers;
        static void told(void *context, const taskhost_transfer_event_t *event) {
            (void)context;
            (void)transfers->acknowledge(event->session, event->sequence);
            TOLD
        }
        static void make_session(void) {
            uint32_t session = 0, next = 0;
            if (transfers->open("downloads", 0, 0, told, 0, &session, &next, 0, 0) == 0) { transfers->replay(session); }
        }
        static const taskhost_lifecycle_t *life;
        static void hear(const taskhost_event_t *event) { BODY }
        static int32_t launch(const taskhost_launch_t *launch) {
            life = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
            life->set_minimum_fetch_interval(60);
            transfers = launch->host->get_extension(TASKHOST_TRANSFER_EXTENSION);
            if (HAS_SESSION) { make_session(); }
            return 0;
        }
        void work(taskhost_task_t *task) { (void)taskhost_complete(task, 1); }
        TASKHOST_EXPORT const taskhost_application_t taskhost_application_v1 = {
            .struct_size = sizeof(taskhost_application_t), .abi_version = TASKHOST_ABI_VERSION, .launch = launch,
            .event = hear };
        """
    private static let answers = "if (event->task) { life->complete_event(event->task, 1); }"

    private struct Probe: Decodable {
        var task: String?
        var probe: String
        var verdict: String
        var seen: String
    }

    private struct Report: Decodable { var probes: [Probe] }

    private func check(
        _ body: String, _ members: String = "", hasSession: Bool = false, told: String = ""
    ) throws -> (status: Int32, probes: [Probe]) {
        let folder = try Folder()
        try folder.makeFolder("lib")
        let source = Self.source.replacing("BODY", with: body).replacing("HAS_SESSION", with: hasSession ? "1" : "0")
            .replacing("TOLD", with: told)
        try Plugin.compile(source, to: folder.file("lib/libx.so"))
        try folder.write(
            "lib/x.json",
            #"{"identifier": "com.example.x", "library": "libx.so","#
                + #""backgroundModes": ["fetch", "remote-notification"]\#(members)}"#)
        let tool = try Tool.run("check", "lib/libx.so", "--json", in: folder)
        return (tool.status, try JSONDecoder().decode(Report.self, from: Data(tool.output.utf8)).probes)
    }

    @Test("that answers and returns is no bad one")
    func good() throws {
        let (status, probes) = try check(Self.answers)
        #expect(status == 0, "\(probes)")
        #expect(
            probes.map(\.probe) == [
                "library", "exports", "returns from didEnterBackground", "answers a fetch", "answers a notification",
            ])
        #expect(probes.allSatisfy { $0.verdict == "pass" }, "\(probes)")
    }

    @Test(
        "that never calls its completion handler is found",
        arguments: [
            ("if (event->task) { event->task->host->retain(event->task); }", "overran in 30"), ("", "unreported"),
        ])
    func unanswered(_ body: String, _ words: String) throws {
        // One of them is enough to wait for.
        let (status, probes) = try check(
            "if (event->kind == TASKHOST_EVENT_REMOTE_NOTIFICATION) { \(Self.answers) return; }" + body)
        #expect(status == 1)
        let fetch = try #require(probes.first { $0.probe == "answers a fetch" }, "\(probes)")
        #expect(fetch.verdict == "fail" && fetch.seen.hasPrefix(words), "\(fetch)")
        #expect(fetch.seen.hasSuffix(": its completion handler was never called"), "\(fetch)")
        #expect(probes.filter { $0.verdict == "fail" }.count == 1, "\(probes)")
    }

    private static let sessions = "handles the events of its background sessions"

    @Test("that calls the completion handler of its session's events after the last event is no bad one")
    func session() throws {
        let handled = "if (event->kind == TASKHOST_TRANSFER_ALL_TOLD) { transfers->session_handled(\"downloads\"); }"
        let (status, probes) = try check(Self.answers, hasSession: true, told: handled)
        #expect(status == 0, "\(probes)")
        let probe = try #require(probes.first { $0.probe == Self.sessions }, "\(probes)")
        #expect(probe.verdict == "pass" && probe.seen.hasPrefix("1 in "), "\(probe)")
    }

    @Test("that never calls the completion handler of its session's events is found")
    func unhandledSession() throws {
        let (status, probes) = try check(Self.answers, hasSession: true)
        #expect(status == 1)
        let probe = try #require(probes.first { $0.probe == Self.sessions }, "\(probes)")
        #expect(probe.verdict == "fail" && probe.seen.contains("0x2182bad3"), "\(probe)")
        #expect(probe.seen.hasSuffix(": a completion handler was never called"), "\(probe)")
        #expect(probes.filter { $0.verdict == "fail" }.count == 1, "\(probes)")
    }

    @Test("that blocks in didEnterBackground is found")
    func blocks() throws {
        let (status, probes) = try check(
            "if (event->kind == TASKHOST_EVENT_DID_ENTER_BACKGROUND && event->task == 0) { sleep(60); }" + Self.answers)
        #expect(status == 1)
        let probe = try #require(probes.first { $0.probe == "returns from didEnterBackground" }, "\(probes)")
        #expect(probe.verdict == "fail" && probe.seen.contains("0x8badf00d"), "\(probe)")
    }

    @Test("that asks for fetches beside a refresh task has that noted")
    func refresh() throws {
        let (status, probes) = try check(
            Self.answers, #", "tasks": {"com.example.x.r": {"kind": "appRefresh", "handler": "work"}}"#)
        #expect(status == 0, "\(probes)")
        let note = try #require(probes.first { $0.probe == "is called for the fetches that it asks for" }, "\(probes)")
        #expect(note.verdict == "skip" && note.seen.contains("a task of the kind appRefresh switches off"))
        #expect(!probes.contains { $0.probe == "answers a fetch" })
    }
}
