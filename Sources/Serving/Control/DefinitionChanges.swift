import JSON
import Record
import TaskModel

/// Manifests that are not as they were at a moment, the last to change first.
struct DefinitionChanges {
    /// Files that are told at most.
    private static let most = 1000

    private let moment: Timestamp
    private var before: Int64?
    /// Files whose newest version was looked at.
    private var seen: Set<String> = []
    private(set) var documents: [JSONOutput] = []
    private(set) var isComplete = false

    init(since moment: Timestamp) { self.moment = moment }

    /// Looks at one version.
    mutating func step(_ reader: any RecordReader) throws(StoreError) {
        let page = try reader.manifests(before: before, limit: 1)
        before = page.next
        isComplete = before == nil
        guard let now = page.elements.first, seen.insert(now.path).inserted, now.at >= moment else { return }
        let former = try reader.manifest(now.path, before: moment)
        // Changed and changed back, or there for a while alone.
        guard former?.mark != now.mark else { return }
        documents.append(Self.document(former, now))
        if documents.count == Self.most { isComplete = true }
    }

    private static func document(_ before: ManifestVersion?, _ now: ManifestVersion) -> JSONOutput {
        let change = now.mark == nil ? "removed" : before?.mark == nil ? "added" : "changed"
        return [
            "path": .string(now.path), "application": JSONOutput(application(now) ?? before.flatMap(application)),
            "at": .string(now.at.iso8601), "change": .string(change),
            "keys": .array(ManifestDifference.keys(before?.text, now.text).map(JSONOutput.string)),
        ]
    }

    private static func application(_ version: ManifestVersion) -> String? {
        let text = version.text.flatMap { try? JSONParser.parse($0, maximumBytes: ManifestVersion.longestText) }
        return text?["identifier"]?.string
    }
}
