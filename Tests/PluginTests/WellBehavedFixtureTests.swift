import Foundation
import TestSupport
import Testing

@Suite("Well-behaved fixtures")
struct WellBehavedFixtureTests {
    struct Row: CustomTestStringConvertible {
        var library: String
        var symbol: [String]
        var outcome: String
        var output: [String]
        var testDescription: String { library }
    }

    @Test(
        "end as they should",
        arguments: [
            Row(library: "noop", symbol: ["noop"], outcome: "succeeded", output: []),
            Row(library: "echo", symbol: ["echo"], outcome: "succeeded", output: ["log 1 hello", "\nhello\nhello\n"]),
            Row(library: "sleeper", symbol: ["sleeper"], outcome: "expired", output: ["log 1 expired, reason 01"]),
            Row(
                library: "counter", symbol: ["--task", "org.taskhost.fixtures.counter.report"], outcome: "succeeded",
                output: ["log 1 count 0"]),
        ])
    func run(_ row: Row) throws {
        let state = try Folder()
        let run = try Harness.run(
            Places.built.get().appending(path: "lib\(row.library).so"), row.symbol, state: state,
            options: ["--wall", "1", "--grace", "0.5", "--payload", "hello"])
        #expect(run.outcome == row.outcome, "\(run.output)")
        for text in row.output { #expect(run.output.contains(text), "\(run.output)") }
    }

    @Test(
        "have manifests",
        arguments: ["noop", "echo", "sleeper", "counter", "foreign", "frozen", "services", "careless"])
    func manifests(_ name: String) throws {
        let folder = try Places.built.get()
        let manifest = try Manifest(folder.appending(path: "fixtures.\(name).json"))
        #expect(manifest.identifier == "org.taskhost.fixtures.\(name)")
        #expect(manifest.tasks.keys.allSatisfy { $0.hasPrefix(manifest.identifier) })
        if let library = manifest.library {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: library).path))
        }
    }
}
