import Foundation
import JSON
import Linux
import Setting
import TaskModel
import TestSupport
import Testing

@Suite("The host's log")
struct HostLogTests {
    /// Takes as many entries as `room` allows.
    private final class Sink: LogSink {
        var room = Int.max
        var lines: [String] = []
        var calls = 0

        func write(_ entries: [[UInt8]]) -> Int {
            calls += 1
            let taken = entries.prefix(room)
            lines += taken.map { String(decoding: $0, as: UTF8.self) }
            return taken.count
        }
    }

    private static let time = Timestamp(nanoseconds: 1_800_000_000_000_000_000)

    @Test("has each form of an entry, on one line but for the journal's")
    func forms() throws {
        let entry = LogEntry(.error, .crashed, "crashed; a \"b\"\nc")
        func text(_ form: LogFormat) -> String { String(decoding: form.bytes(of: entry, at: Self.time), as: UTF8.self) }
        #expect(text(.text) == "taskhost: crashed; a \"b\"\\nc\n")
        #expect(
            text(.logfmt) == "time=2027-01-15T08:00:00.000Z level=error msg=\"crashed; a \\\"b\\\"\\nc\"\n")
        #expect(
            text(.json) == "{\"at\":\"2027-01-15T08:00:00.000Z\",\"level\":\"error\",\"message\":\"crashed; a "
                + "\\\"b\\\"\\nc\",\"messageId\":\"\(LogMessage.crashed.rawValue)\"}\n")
        #expect(
            text(.journal)
                == "MESSAGE\n\u{10}\0\0\0\0\0\0\0crashed; a \"b\"\nc\nPRIORITY=3\nSYSLOG_IDENTIFIER=taskhost\n"
                + "MESSAGE_ID=\(LogMessage.crashed.rawValue)\n")
        let long = LogEntry(.info, nil, String(repeating: "é", count: 100_000))
        for form in LogFormat.allCases { #expect(form.bytes(of: long, at: Self.time).count < 4096, "\(form)") }
    }

    @Test("goes to the journal only where standard error leads there")
    func choice() throws {
        let stream = try FileSystem.followedFacts(of: "/dev/null")
        let name = "\(stream.device):\(stream.inode)"
        #expect(LogFormat(variable: name, stream: stream) == .journal)
        #expect(LogFormat(variable: name + "1", stream: stream) == .text)
        #expect(LogFormat(variable: nil, stream: nil) == .text && LogFormat(variable: nil, stream: stream) == .text)
        #expect(LogFormat(variable: name, stream: nil) == .text)
    }

    @Test("is written once a turn, and counts what was not taken")
    func loss() {
        let sink = Sink()
        let log = HostLog(.text, .failures, to: sink)
        log.flush()
        #expect(sink.calls == 0)
        for word in ["a", "b", "c"] { log.say(word) }
        sink.room = 1
        log.flush()
        sink.room = 0
        log.say("d")
        log.flush()
        sink.room = .max
        log.say("e")
        log.flush()
        let notice = "taskhost: 3 lines of this log were not read in time; they are not written\n"
        #expect(sink.lines == ["taskhost: a\n", notice, "taskhost: e\n"])
        log.say("f")
        log.flush()
        #expect(sink.lines.last == "taskhost: f\n" && sink.lines.count == 4 && sink.calls == 4)
        // A turn keeps as many as one call takes.
        for _ in 0..<1000 { log.add(LogEntry(.info, nil, "g")) }
        log.flush()
        log.say("h")
        log.flush()
        #expect(sink.calls == 6 && sink.lines.count { $0 == "taskhost: g\n" } == 127)
        #expect(sink.lines.contains { $0.hasPrefix("taskhost: 873 lines") }, "\(sink.lines)")
    }

    @Test("has every fault of the manifests, as many as there are")
    func faults() {
        let sink = Sink()
        let log = HostLog(.text, .failures, to: sink)
        for number in 0..<1000 { log.say("\(number)") }
        log.flush()
        #expect(sink.lines == (0..<1000).map { "taskhost: \($0)\n" })
    }

    @Test("has one entry for alike ends of a turn beyond a hundred a second")
    func crowds() {
        let sink = Sink()
        let log = HostLog(.text, .failures, to: sink)
        let failed = EndKind(task: TaskIndex.first, outcome: .failed)
        let overran = EndKind(task: TaskIndex.first, outcome: .overran, reason: .budget)
        func end(_ kind: EndKind, _ times: Int, _ second: UInt64) {
            for _ in 0..<times {
                log.addEnd(kind, at: Instant(nanoseconds: second * 1_000_000_000)) {
                    LogEntry(.error, .ended, "\(kind == failed ? "failed" : "overran")")
                }
            }
        }
        end(failed, 99, 5)
        log.flush()
        #expect(sink.lines.count == 99)
        end(failed, 40, 5)
        end(overran, 2, 5)
        end(failed, 2, 5)
        log.flush()
        #expect(
            sink.lines.dropFirst(99) == [
                "taskhost: failed; 41 more like it ended at the same time\n",
                "taskhost: overran; 1 more like it ended at the same time\n",
            ])
        end(failed, 3, 6)
        log.flush()
        #expect(sink.lines.suffix(3) == ["taskhost: failed\n", "taskhost: failed\n", "taskhost: failed\n"])
    }

    @Test("has an explanation in the catalog for each number, and no other")
    func catalog() throws {
        let file = Places.root.appending(path: "Distribution/taskhost.catalog")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let numbers = lines.filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
        #expect(numbers.sorted() == LogMessage.allCases.map(\.rawValue).sorted())
        let fields = Set(LogField.allCases.map(\.journalName))
        for match in try String(contentsOf: file, encoding: .utf8).matches(of: /@([A-Z_]+)@/) {
            #expect(fields.contains(String(match.1)), "\(match.1)")
        }
        let folder = try Folder()
        try folder.write("usr/lib/systemd/catalog/taskhost.catalog", Data(contentsOf: file))
        let command = try Command.run(
            "journalctl", ["--root=\(folder.path)", "--update-catalog"])
        #expect(command.succeeded && command.output.isEmpty, "\(command)")
    }
}
