import Foundation
import TaskModel
import TestSupport
import Testing

/// Budgets that are proposed from runs whose figures are made up.
@Suite("taskhost budget", .plainBuild)
struct BudgetVerbTests {
    private static let start = Timestamp(nanoseconds: 1_772_366_400_000_000_000)
    private static let task = "com.example.notes.export"

    /// - Parameter budget: the manifest's.
    private func folder(
        _ count: Int, budget: String = "", end: (Int) -> (outcome: Outcome, figures: RunFigures)
    ) throws -> Folder {
        let folder = try MadeRuns.folder((0..<count).map { Self.start + .seconds(Int64($0) * 3600) }, end: end)
        try folder.write(
            "m/com.example.notes.json",
            """
            {"identifier": "com.example.notes",
             "tasks": {"com.example.notes.export": {"kind": "processing", "handler": {"command": ["/bin/true"]}\(budget)}}}
            """)
        return folder
    }

    private func run(_ wall: Double, cpu: Double, memory: Int) -> (outcome: Outcome, figures: RunFigures) {
        func span(_ seconds: Double) -> TimeSpan { TimeSpan(nanoseconds: Int64(seconds * 1e9)) }
        return (
            .succeeded,
            RunFigures(wallTime: span(wall), cpuTime: span(cpu), peakMemory: .mebibytes(UInt64(memory)))
        )
    }

    private func ask(_ folder: Folder, _ words: String...) throws -> Tool {
        try Tool.run(["budget", "export", "--state", "state", "--manifests", "m"] + words, in: folder)
    }

    private func figures(_ document: [String: Any]) -> [String: [String: Any]] {
        let list = document["figures"] as? [[String: Any]] ?? []
        return Dictionary(uniqueKeysWithValues: list.map { ($0["figure"] as? String ?? "", $0) })
    }

    @Test("is half as much again as 99 of 100 of the last thirty used, rounded up, and goes into the manifest")
    func proposed() throws {
        // The first ten are too old to count.
        let folder = try folder(40, budget: #", "budget": {"wallClock": "1h", "disk": "1GiB", "grace": "3s"}"#) {
            $0 < 10
                ? run(3000, cpu: 900, memory: 4000) : run(10 + Double($0), cpu: 2 + Double($0) / 10, memory: 100 + $0)
        }
        let document = try ask(folder, "--json").document
        #expect(document["budget"] as? [String: String] == ["wallClock": "80s", "cpuTime": "9s", "memory": "224MiB"])
        #expect(document["runs"] as? Int == 30 && document["task"] as? String == Self.task)
        let wall = try #require(figures(document)["wallClock"])
        #expect(wall["p99"] as? Double == 49 && wall["median"] as? Double == 34 && wall["now"] as? Double == 3600)
        #expect(document["manifest"] is NSNull)
        let shown = try ask(folder)
        #expect(
            shown.status == 0
                && shown.output.contains(#""budget":{"wallClock":"80s","cpuTime":"9s","memory":"224MiB"}"#))
        #expect(shown.output.contains("from its last 30 runs that succeeded, since 2026-03-01T22:00:00"))

        let written = try ask(folder, "--write", "--json")
        #expect(written.status == 0, "\(written)")
        let text = try String(contentsOf: folder.file("m/com.example.notes.json"), encoding: .utf8)
        let manifest = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let task = (manifest?["tasks"] as? [String: Any])?[Self.task] as? [String: Any]
        #expect(
            task?["budget"] as? [String: String] == [
                "wallClock": "80s", "cpuTime": "9s", "memory": "224MiB", "disk": "1GiB", "grace": "3s",
            ])
        #expect(try Tool.run(["validate", "m"], in: folder).status == 0)
        #expect(try (ask(folder, "--json").document["budget"] as? [String: String])?["wallClock"] == "80s")
    }

    @Test("leaves an outlier out, and names it")
    func outlier() throws {
        let folder = try folder(30) { run($0 == 7 ? 600 : 20, cpu: 1, memory: 50) }
        let wall = try #require(figures(try ask(folder, "--json").document)["wallClock"])
        #expect(wall["proposed"] as? Double == 30)
        let id = ULID(at: Self.start + .seconds(7 * 3600), random: (0, 7)).description
        let named = (wall["outliers"] as? [[String: Any]] ?? []).first
        #expect(named?["run"] as? String == id && named?["value"] as? Double == 600)
        #expect(try ask(folder).output.contains("outlier, left out: \(id) used 10 m of wallClock"))
        // Four of thirty are no outliers: they are how the task is.
        let often = try self.folder(30) { run($0 % 8 == 0 ? 600 : 20, cpu: 1, memory: 50) }
        let usual = try #require(figures(try ask(often, "--json").document)["wallClock"])
        #expect(usual["proposed"] as? Double == 900 && (usual["outliers"] as? [Any])?.isEmpty == true)
    }

    @Test("doubles a budget that runs have ended at: what they need is not known")
    func ended() throws {
        let folder = try folder(20, budget: #", "budget": {"memory": "100MiB"}"#) {
            var end = run(20, cpu: 1, memory: 50)
            if $0 % 5 == 0 { end.outcome = .exceededMemory }
            return end
        }
        let memory = try #require(figures(try ask(folder, "--json").document)["memory"])
        #expect(memory["proposed"] as? Int == 208 << 20 && memory["endedAtBudget"] as? Int == 3)
        let shown = try ask(folder).output
        #expect(
            shown.contains("3 runs ended because of the budget (exceededMemory): twice 100 MiB is proposed"), "\(shown)"
        )
    }

    @Test("is never so small that the machine's load would end a run")
    func least() throws {
        let folder = try folder(5) { _ in run(0.004, cpu: 0.001, memory: 1) }
        #expect(
            try ask(folder, "--json").document["budget"] as? [String: String] == [
                "wallClock": "5s", "cpuTime": "1s", "memory": "16MiB",
            ])
    }

    @Test("needs five runs that succeeded, and a task that there is")
    func refused() throws {
        let folder = try folder(9) { $0 < 5 ? (.failed, RunFigures(wallTime: .seconds(1))) : run(1, cpu: 1, memory: 1) }
        let few = try ask(folder)
        #expect(
            few.status == 64
                && few.errors.contains(
                    "too few runs to propose a budget from; \(Self.task): 4 succeeded; run it until 5 did")
        )
        let none = try Tool.run(["budget", "exprt", "--state", "state", "--manifests", "m"], in: folder)
        #expect(none.status == 64 && none.errors.contains("no manifest has this task; exprt"))
        let nothing = try Tool.run(["budget", "export", "--state", "other", "--manifests", "m"], in: folder)
        #expect(nothing.status == 64 && nothing.errors.contains("0 succeeded"))
    }
}
