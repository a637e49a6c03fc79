import Foundation
import TestSupport
import Testing

@Suite("What a library prints before its first run")
struct LaunchWordsTests {
    /// A place where a library says something, and mostly dies.
    struct Row: CustomStringConvertible {
        var description: String
        /// Statements of a constructor, and of launch(), which returns 0 after them.
        var load = ""
        var launch = ""
        var outcome: String
        /// What the log has.
        var log: [String]
        /// Its last lines, among the diagnostics.
        var last: [String]
    }

    static let rows = [
        Row(
            description: "a constructor that aborts",
            load: #"printf("loading\n"); fprintf(stderr, "no such table: %s\n", "feeds"); abort();"#,
            outcome: "crashed", log: ["loading\nno such table: feeds\n"], last: ["loading", "no such table: feeds"]),
        Row(
            description: "a constructor that exits", load: #"printf("bye"); exit(3);"#, outcome: "exited",
            log: ["bye"], last: ["bye"]),
        Row(
            description: "a launch that crashes", launch: #"printf("half a line"); *(volatile int *)0 = 1;"#,
            outcome: "crashed", log: ["half a line"], last: ["half a line"]),
        Row(
            description: "a launch that fails, with the end of its line held back",
            load: #"printf("one\n");"#, launch: #"printf("two"); return 5;"#, outcome: "refused",
            log: ["one\ntwo"], last: ["one", "two"]),
        Row(
            description: "bytes that are no text", launch: #"write(2, "\xff\xfe\n\0\xc3", 5); abort();"#,
            outcome: "crashed", log: ["\u{FFFD}\u{FFFD}\n\0\u{FFFD}"], last: ["\u{FFFD}\u{FFFD}", "\0\u{FFFD}"]),
        Row(
            description: "a megabyte in one write",
            launch: """
                static char much[1 << 20];
                memset(much, 'x', sizeof much);
                memcpy(much, "first ", 6);
                memcpy(much + sizeof much - 12, "\\nlast words\\n", 12);
                for (size_t done = 0; done < sizeof much; ) { done += write(1, much + done, sizeof much - done); }
                abort();
                """,
            outcome: "crashed", log: ["first xxx", "bytes are left out here\n", "xxx\nlast words\n"],
            last: ["last words"]),
        Row(
            description: "a launch that goes well", launch: #"printf("hello");"#, outcome: "succeeded", log: ["hello"],
            last: []),
    ]

    private static func source(_ row: Row) -> String {
        """
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        #include <taskhost.h>
        __attribute__((constructor)) static void load(void) { \(row.load) }
        static void handle(taskhost_task_t *task) { fflush(stdout); taskhost_complete(task, 1); }
        static int32_t launch(const taskhost_launch_t *given) {
            given->register_handler(given->registry, "com.example.words.one", handle);
            given->register_handler(given->registry, "com.example.words.two", handle);
            \(row.launch)
            return 0;
        }
        TASKHOST_EXPORT const taskhost_application_t taskhost_application_v1 = {
            .struct_size = sizeof(taskhost_application_t), .abi_version = TASKHOST_ABI_VERSION, .launch = launch};
        """
    }

    static func add(_ row: Row, to station: Station) throws {
        try station.compile("words", source(row))
        let budget = ["wallClock": "20s", "grace": "2s"]
        let task = ["kind": "processing", "budget": budget] as [String: Any]
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.words", "library": "libwords.so", "backgroundModes": ["processing"],
                "tasks": ["com.example.words.one": task, "com.example.words.two": task],
            ]))
    }

    @Test("is in the log of the run that waits, and among its diagnostics when the launch fails", arguments: rows)
    func kept(_ row: Row) throws {
        let station = try Station()
        try Self.add(row, to: station)
        let report = try station.run("com.example.words.one")
        let run = try #require(report.runs.first, "\(report.command)")
        #expect(run.outcome == row.outcome, "\(run)")
        let logs = try station.logs(run)
        var rest = logs.text[...]
        for text in row.log {
            let found = try #require(rest.range(of: text), "\(text) in \(logs.text.suffix(500))")
            rest = rest[found.upperBound...]
        }
        let last = row.last.map { "it printed: \($0)" }
        #expect(run.diagnostics.suffix(last.count) == last[...], "\(run.diagnostics)")
        station.expectNothingLeft()
    }

    @Test("is in the log of every run that waits for the launch")
    func all() throws {
        let station = try Station()
        try Self.add(Self.rows[0], to: station)
        let report = try station.run("com.example.words.one", "com.example.words.two")
        #expect(report.runs.map(\.outcome) == ["crashed", "crashed"])
        for run in report.runs {
            #expect(try station.logs(run).text == Self.rows[0].log[0])
            #expect(run.diagnostics.last == "it printed: no such table: feeds")
        }
    }

    @Test("is in the journal when no run waits for the launch")
    func journal() throws {
        let station = try Station()
        try Self.add(Self.rows[0], to: station)
        // An application that is new to the host is launched once, without a run.
        let daemon = try Daemon(station)
        // It may have been launched before the stream of events was open.
        try daemon.waitUntil { try daemon.tell("journal").contains("com.example.words") }
        let journal = try daemon.tell("journal")
        #expect(journal.contains("no such table: feeds"), "\(journal)")
        #expect(try daemon.stop().status == 0)
    }
}
