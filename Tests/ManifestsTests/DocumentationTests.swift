import Foundation
import JSON
import Manifests
import TaskModel
import Testing

/// What the documentation says holds.
@Suite struct DocumentationTests {
    private static func document(_ name: String = "Manifests") throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Documentation/\(name).md"), encoding: .utf8)
    }

    @Test func itsExampleIsAGoodManifest() throws {
        let document = try Self.document()
        let begin = try #require(document.range(of: "```json\n"))
        let end = try #require(document.range(of: "```", range: begin.upperBound..<document.endIndex))
        let result = ManifestText.decode(String(document[begin.upperBound..<end.lowerBound]))
        #expect(result.diagnostics == [])
        #expect(result.application?.tasks.count == 2)
    }

    @Test func itNamesEveryKeyAndMode() throws {
        let document = try Self.document()
        let keys =
            ManifestKeys.application + ManifestKeys.task + ManifestKeys.foreignFunction + ManifestKeys.budget
            + ManifestKeys.schedule + ManifestKeys.retry + ManifestKeys.permissions
            + ManifestKeys.transfers + ManifestKeys.trust + ManifestKeys.renew
        for key in keys {
            #expect(document.contains("| `\(key)` |"), "\(key)")
        }
        for mode in ManifestKeys.backgroundModes { #expect(document.contains("`\(mode)`"), "\(mode)") }
    }

    @Test func theCommandLineHasTheExitStatusOfEveryOutcome() throws {
        let rows = try Self.document("CommandLine").split(separator: "\n")
        for outcome in Outcome.allCases where outcome != .failed && outcome != .succeeded {
            let row = try #require(rows.first { $0.hasPrefix("| \(outcome.exitStatus) |") }, "\(outcome)")
            #expect(row.contains(outcome.name), "\(row)")
        }
    }

    @Test func everyReasonStandsInAGuide() throws {
        let guides = try ["CommandLine", "Conditions", "Lifecycle", "Manifests"].map { try Self.document($0) }
        for reason in Reason.allCases {
            #expect(guides.contains { $0.contains("`\(reason.name)`") }, "\(reason.name)")
        }
    }
}
