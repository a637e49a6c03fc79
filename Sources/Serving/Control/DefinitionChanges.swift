import JSON
import Record
import TaskModel

/// Manifests that are not as they were at a moment.
enum DefinitionChanges {
    /// Files that are told at most.
    private static let most = 1000

    static func documents(since moment: Timestamp, _ reader: any RecordReader) throws(StoreError) -> [JSONOutput] {
        try reader.changedManifests(since: moment, limit: most).map { before, now in
            let change = now.mark == nil ? "removed" : before?.mark == nil ? "added" : "changed"
            return [
                "path": .string(now.path), "application": JSONOutput(application(now) ?? before.flatMap(application)),
                "at": .string(now.at.iso8601), "change": .string(change),
                "keys": .array(ManifestDifference.keys(before?.text, now.text).map(JSONOutput.string)),
            ]
        }
    }

    private static func application(_ version: ManifestVersion) -> String? {
        let text = version.text.flatMap { try? JSONParser.parse($0, maximumBytes: ManifestVersion.longestText) }
        return text?["identifier"]?.string
    }
}
