import Foundation
import JSON
import Manifests
import TaskModel
import Testing

/// What the documentation says holds.
@Suite struct DocumentationTests {
    private static func document() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Documentation/Manifests.md"), encoding: .utf8)
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
}
