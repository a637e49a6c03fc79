import Foundation
import TestSupport
import Testing

@Suite("Hostile fixtures")
struct FixtureTests {
    @Test("number more than twenty-five, each with source, manifest and a row of the table")
    func tableIsWhole() throws {
        let names = Set(FixtureRow.all.map(\.name))
        #expect(names.count > 25)
        #expect(names.count == FixtureRow.all.count)
        let sources = try FileManager.default.contentsOfDirectory(
            atPath: Places.fixtures.appending(path: "Hostile").path)
        #expect(Set(sources.map { ($0 as NSString).deletingPathExtension }) == names)
        let manifests = try FileManager.default.contentsOfDirectory(
            atPath: Places.fixtures.appending(path: "manifests").path)
        #expect(Set(manifests).isSuperset(of: names.map { "hostile.\($0).json" }))
        #expect(manifests.filter { $0.hasPrefix("hostile.") }.count == names.count)
    }

    @Test("say in their first comment what they do and which outcome they expect", arguments: FixtureRow.all)
    func commentAgrees(_ row: FixtureRow) throws {
        #expect(FixtureRow.outcomes.isSuperset(of: [row.outcome] + (row.accepts ?? [])))
        let folder = Places.fixtures.appending(path: "Hostile")
        let source = ["c", "cpp"].map { folder.appending(path: "\(row.name).\($0)") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
        let text = try String(contentsOf: #require(source), encoding: .utf8)
        #expect(text.hasPrefix("/*"))
        let comment = text.prefix(upTo: try #require(text.firstRange(of: "*/")).lowerBound)
            .replacing("\n * ", with: " ")
        let expected = [row.outcome] + (row.accepts ?? [])
        let words = expected.count == 1 ? "" : " (or \(expected.dropFirst().joined(separator: " or ")))"
        #expect(comment.contains("Expected: \(row.outcome)\(words)."))

        let manifest = try Manifest(Places.fixtures.appending(path: "manifests/hostile.\(row.name).json"))
        #expect(manifest.identifier == row.identifier)
        #expect(Array(manifest.tasks.keys) == [row.identifier])
        #expect(manifest.library == "libhostile-\(row.name).so")
    }

    @Test(
        "misbehave as they say, where that does no harm",
        arguments: FixtureRow.all.filter { if case .no = $0.harness { false } else { true } })
    func misbehave(_ row: FixtureRow) throws {
        let folder = try Places.built.get()
        let manifest = try Manifest(folder.appending(path: "hostile.\(row.name).json"))
        let task = try #require(manifest.tasks[row.identifier])
        let budget = try #require(task.budget)
        let wall = try Manifest.seconds(#require(budget.wallClock))
        let grace = try Manifest.seconds(#require(budget.grace))
        let run = try Harness.run(
            folder.appending(path: #require(manifest.library)),
            manifest.symbols.first.map { [$0] } ?? ["--task", row.identifier],
            options: ["--wall", "\(wall)", "--grace", "\(grace)"])

        var outcomes = [row.outcome] + (row.accepts ?? [])
        if case .outcome(let word) = row.harness { outcomes = [word] }
        #expect(outcomes.contains(run.outcome), "\(run.output)")
        if row.outcome == "crashed" { #expect(run.command.signal == row.expectedSignal) }
        if let status = row.exitStatus { #expect(run.command.status == status) }
        if let text = row.diagnostics {
            #expect(run.lines(of: "diagnostic").contains { $0.contains(text) }, "\(run.output)")
        }
    }
}
