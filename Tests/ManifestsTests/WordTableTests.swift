import Foundation
import TaskModel
import Testing

/// The tables of words, and the documents that repeat them.
struct WordTableTests {
    private static func lines(_ document: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Documentation/\(document).md"), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `The document has every outcome`() throws {
        let lines = try Self.lines("Outcomes")
        let mark = try #require(lines.firstIndex(of: "<!-- table: outcomes -->"))
        let found = Array(lines[(mark + 1)...].prefix { $0.hasPrefix("|") })
        let rows =
            ["| outcome | what has happened | exit status of `run` |", "|---|---|---|"]
            + Outcome.allCases.sorted { ($0.exitStatus, $0.rawValue) < ($1.exitStatus, $1.rawValue) }.map { outcome in
                "| `\(outcome.name)` | \(outcome.row.meaning) | \(outcome.exitStatus) |"
            }
        #expect(found == rows, "write this into Documentation/Outcomes.md:\n\(rows.joined(separator: "\n"))")
    }

    @Test func `The document has every limit, and what happens with one more`() throws {
        let lines = try Self.lines("Outcomes")
        let mark = try #require(lines.firstIndex(of: "<!-- table: limits -->"))
        let found = Array(lines[(mark + 1)...].prefix { $0.hasPrefix("|") })
        let rows =
            ["| what | at most | with one more |", "|---|---|---|"]
            + Limit.all.map { limit in
                "| \(limit.subject) | \(Self.amount(limit)) | \(limit.beyond) |"
            }
        #expect(found == rows, "write this into Documentation/Outcomes.md:\n\(rows.joined(separator: "\n"))")
        #expect(Set(Limit.all.map(\.subject)).count == Limit.all.count && Limit.all.allSatisfy { $0.most > 0 })
    }

    private static func amount(_ limit: Limit) -> String {
        guard limit.unit == .bytes else { return "\(limit.most)" }
        if limit.most % (1 << 20) == 0 { return "\(limit.most >> 20) MiB" }
        return limit.most % (1 << 10) == 0 ? "\(limit.most >> 10) KiB" : "\(limit.most) bytes"
    }

    @Test(arguments: Gate.allCases) func `Each gate has a meaning, which the guide repeats`(gate: Gate) throws {
        #expect(!gate.meaning.isEmpty && !gate.symbol.isEmpty)
        guard Condition.of(gate) == nil else { return }
        let row = try #require(try Self.lines("Scheduling").first { $0.hasPrefix("| `\(gate.name)` |") })
        #expect(row.contains("| \(gate.meaning)"), "\(row)")
    }

    @Test func `No two outcomes have a meaning in common`() {
        #expect(Set(Outcome.allCases.map(\.row.meaning)).count == Outcome.allCases.count)
        #expect(Set(TaskKind.allCases.map(\.row.meaning)).count == TaskKind.allCases.count)
    }

    /// Each tone, and who has it: a page, a log and a terminal colour by it.
    @Test func `What is a failure is told as one, but for a run that ended when it was warned`() {
        for outcome in Outcome.allCases {
            let (row, isGood) = (outcome.row, outcome == .succeeded)
            #expect((row.tone == .good) == isGood && (row.exitStatus == 0) == isGood)
            #expect((row.tone == .bad || row.tone == .warn) == row.isFailure)
        }
    }
}
