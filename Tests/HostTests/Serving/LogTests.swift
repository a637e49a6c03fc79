import Foundation
import TestSupport
import Testing

@Suite("A run's log, line by line")
struct LogTests {
    private static let task = "com.example.lines.task"

    private struct Line: Decodable, Equatable {
        var at: String?
        var stream: String?
        var text: String
        var isWhole: Bool
    }
    private struct Log: Decodable {
        var output: String
        var lines: [Line]
    }

    /// A program that prints on both streams, waits for a file, and prints more.
    private func station(_ script: String) throws -> Station {
        let station = try Station()
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.lines",
                "tasks": [
                    Self.task: [
                        "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]],
                        "budget": ["wallClock": "60s"],
                    ] as [String: Any]
                ],
            ]))
        return station
    }

    @Test("has each line's time and stream, is read by the last run's task, and by filters")
    func lines() throws {
        let station = try station("echo one; echo two >&2; echo three; printf half")
        let before = Date.now
        let run = try #require(try station.run(Self.task)[Self.task])
        let log = try station.ask(Log.self, "logs", Self.task)
        #expect(log.lines.filter { $0.stream == "stdout" }.map(\.text) == ["one", "three", "half"])
        #expect(log.lines.filter { $0.stream == "stderr" }.map(\.text) == ["two"])
        #expect(log.lines.count == 4 && log.lines.filter { !$0.isWhole }.map(\.text) == ["half"])
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for line in log.lines {
            let at = try style.parse(try #require(line.at))
            #expect(at > before.addingTimeInterval(-1) && at < Date.now.addingTimeInterval(1))
        }
        func logs(_ words: String...) throws -> String {
            let command = try station.start(["logs", run.run] + words).finish()
            #expect(command.status == 0, "\(command)")
            return command.output
        }
        #expect(try logs("--stream", "stderr") == "two\n")
        #expect(try logs("--grep", "^t.*e$") == "three\n")
        #expect(try logs("--since", "1h").split(separator: "\n").count == 4)
        #expect(try logs("--since", "2100-01-01T00:00:00Z") == "")
        #expect(
            try logs("--stream", "stdout,stderr", "--grep", "one|two", "-f").split(separator: "\n").sorted() == [
                "one", "two",
            ])
        let stamped = try logs("--timestamps", "--utc", "--stream", "stderr")
        #expect(stamped.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z  stderr  two\n/) != nil, "\(stamped)")
        for wrong in [["--stream", "x"], ["--grep", "("], ["--since", "soon"]] {
            #expect(try station.start(["logs", run.run] + wrong).finish().status == 64)
        }
    }

    @Test("is followed while it grows, and ends with the run")
    func follow() throws {
        let station = try station(
            """
            echo begun; printf 'half '; while [ ! -e "$TASKHOST_STATE/go" ]; do :; done; echo of it; echo done >&2
            """)
        let daemon = try Daemon(station)
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        let reader = try station.start(["logs", "--follow", Self.task])
        try reader.wait(forText: "begun")
        let folder = station.state + "/applications/com.example.lines/state"
        #expect(FileManager.default.createFile(atPath: folder + "/go", contents: nil))
        let told = try reader.finish()
        #expect(
            told.status == 0 && told.output.split(separator: "\n").sorted() == ["begun", "done", "half of it"],
            "\(told)")
        try daemon.wait(for: "run.ended", Self.task)
        // Of a run that has ended, it is all there is.
        #expect(
            try daemon.tell("logs", "-f", "--json", Self.task).split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8)).text
            }.sorted() == ["begun", "done", "half of it"])
        #expect(try daemon.stop().status == 0)
    }

    @Test("is followed until Ctrl-C")
    func interrupt() throws {
        let station = try station("echo begun; trap 'exit 0' TERM; while :; do :; done")
        let daemon = try Daemon(station)
        try daemon.tell("submit", Self.task)
        try daemon.waitForWork(Self.task)
        let reader = try station.start(["logs", "-f", Self.task])
        try reader.wait(forText: "begun")
        try reader.signal(SIGINT)
        #expect(try reader.finish().status == 0)
        #expect(daemon.count("run.ended", Self.task) == 0)
        #expect(try daemon.stop().status == 0)
    }
}
