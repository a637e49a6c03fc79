import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing

@Suite("Ends of applications' processes", .plainBuild)
struct TerminationTests {
    private static let application = "com.example.cli"

    /// A folder whose record has a run, an end of the application that left two assertions open, and one of another.
    private func folder() throws -> (folder: Folder, at: Timestamp) {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        let library = try Plugin.library.path
        let symbols = try Tool.shell("nm -D --defined-only \(library) | awk '$3 == \"hang\" {print $1}'").output
        let hang = try #require(UInt64(symbols.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16))
        let store = try Store(path: folder.file("state/taskhost.db").path)
        let run = try #require(try store.history.runs(limit: 1).first)
        let at = Timestamp(nanoseconds: (run.endedAt ?? run.submittedAt).nanoseconds + 2_000_000_000)
        let frames = [CodePlace(module: library, offset: hang + 8), CodePlace(module: "/nowhere.so", offset: 16)]
        var record = TurnRecord(turn: 1)
        record.append(
            .termination(
                Termination(
                    application: Self.application, at: at, reason: .appWatchdog, callback: .didEnterBackground,
                    took: .seconds(5),
                    assertions: [
                        OpenAssertion(id: 1, name: "save", age: .milliseconds(12_300), frames: frames),
                        OpenAssertion(id: 2, name: "", age: .seconds(1), frames: frames),
                    ], assertionCount: 3)))
        record.append(.termination(Termination(application: "com.example.other", at: at, reason: .memoryPressure)))
        try store.write(record)
        return (folder, at)
    }

    @Test("stand among the runs of their application, with the functions that began what was open")
    func history() throws {
        let (folder, at) = try folder()
        let text = try folder.ask("history", "--utc", "--application", Self.application).output
        let lines = text.split(separator: "\n").map(String.init)
        try #require(lines.count == 7, "\(text)")
        #expect(lines[1].hasPrefix("-") && lines[1].contains("terminated") && lines[1].contains("0x8badf00d"))
        #expect(lines[1].contains(" \(at.iso8601) ") && lines[2].contains("succeeded"))
        #expect(
            lines[3]
                == "terminated \(at.iso8601): didEnterBackground took longer than 5 s (0x8badf00d appWatchdog)")
        #expect(lines[4] == #"  open: "save", 12.3 s, begun by hang + 8"#)
        #expect(lines[5] == #"  open: "hang", 1 s, begun by hang + 8"#)
        #expect(lines[6] == "  open: 1 more")
        let few = try folder.ask("history", "--application", Self.application, "--limit", "1").output
        #expect(few.contains("terminated") && !few.contains("succeeded"))
    }

    @Test(
        "name the application's own function, whatever of the SDK is in its name",
        arguments: [
            (
                "$s5Notes11AppDelegateC29applicationDidEnterBackgroundyy5UIKit13UIApplicationCFTf4dn_n",
                "Notes.AppDelegate.applicationDidEnterBackground(UIKit.UIApplication) -> ()"
            ),
            ("$s5UIKit13UIApplicationC5NotesE4saveyyF", "(extension in Notes):UIKit.UIApplication.save() -> ()"),
        ])
    func ownFunction(_ symbol: String, _ function: String) throws {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        let library = folder.file("libown.so")
        let source = """
            __attribute__((visibility("default"))) void kit(void) __asm__("\\"$s5UIKit13UIApplicationC4saveyyF\\"");
            __attribute__((visibility("default"))) void own(void) __asm__("\\"\(symbol)\\"");
            void kit(void) { __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop"); }
            void own(void) { __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop; nop; nop"); }
            """
        try Plugin.compile(source, to: library)
        let symbols = try Tool.shell("nm -D --defined-only \(library.path)").output.split(separator: "\n")
        func place(_ name: String) throws -> CodePlace {
            let line = try #require(symbols.first { $0.hasSuffix(" \(name)") })
            let offset = try #require(UInt64(line.prefix { $0 != " " }, radix: 16))
            return CodePlace(module: library.path, offset: offset + 4)
        }
        let frames = [try place("$s5UIKit13UIApplicationC4saveyyF"), try place(symbol)]
        let store = try Store(path: folder.file("state/taskhost.db").path)
        let ended = try #require(try store.history.runs(limit: 1).first?.endedAt)
        var record = TurnRecord(turn: 1)
        record.append(
            .termination(
                Termination(
                    application: Self.application, at: Timestamp(nanoseconds: ended.nanoseconds + 60_000_000_000),
                    reason: .backgroundTaskAssertionTimeout,
                    assertions: [OpenAssertion(id: 1, name: "save", age: .seconds(1), frames: frames)],
                    assertionCount: 1)))
        try store.write(record)
        let text = try folder.ask("history", "--application", Self.application).output
        #expect(text.contains("\(function) + 4"), "\(text)")
    }

    @Test("are entries of a separate kind in the document, beside the runs")
    func document() throws {
        let (folder, at) = try folder()
        let document = try folder.ask("history", "--application", Self.application, "--json").document
        let entries = try #require(document["entries"] as? [[String: Any]])
        #expect(entries.map { $0["kind"] as? String } == ["termination", "run"])
        #expect((document["runs"] as? [[String: Any]])?.count == 1)
        let end = entries[0]
        #expect(end["at"] as? String == at.iso8601 && end["reason"] as? String == "appWatchdog")
        #expect(end["code"] as? String == "0x8badf00d" && end["took"] as? Double == 5)
        let assertions = try #require(end["assertions"] as? [[String: Any]])
        #expect(assertions.map { $0["name"] as? String } == ["save", "hang"])
        let frames = try #require(assertions[0]["frames"] as? [[String: Any]])
        #expect(frames.map { $0["symbol"] as? String } == ["hang", nil])
        #expect(frames[0]["symbolOffset"] as? Int == 8 && frames[1]["offset"] as? Int == 16)
        // Without the option it is what it was.
        let plain = try folder.ask("history", Self.application, "--json").document
        #expect(Set(plain.keys) == ["runs"])
    }

    @Test("are shown by list, and only where there are any")
    func list() throws {
        let (folder, at) = try folder()
        let manifests = folder.file("m").path
        let text = try folder.ask("list", "--utc", "--manifests", manifests).output
        #expect(text.contains("TERMINATED") && text.contains("appWatchdog \(at.iso8601)"))
        let tasks = try folder.ask("list", "--manifests", manifests, "--json").document["tasks"] as? [[String: Any]]
        let end = try #require(tasks?.first?["lastTermination"] as? [String: Any])
        #expect(end["reason"] as? String == "appWatchdog" && end["assertionCount"] as? Int == 3)
        let other = try Plugin.folder()
        let none = try other.ask("list", "--manifests", other.file("m").path).output
        #expect(!none.contains("TERMINATED"))
    }

    @Test("of an unknown application are none, and an identifier beside it is too much")
    func nothing() throws {
        let (folder, _) = try folder()
        let none = try folder.ask("history", "--application", "com.example.none")
        #expect(none.status == 0 && none.output.isEmpty && none.errors.contains("no runs recorded"))
        #expect(try folder.ask("history", "com.example.cli", "--application", "com.example.cli").status == 64)
    }
}
