import JSON
import Record

/// What differs between two versions of a manifest.
enum ManifestDifference {
    /// Keys that are named at most.
    private static let most = 64

    /// The paths of the keys that were added, changed or removed, such as `tasks.com.example.x.budget.wallClock`; none when a text
    /// is not known or is no JSON.
    static func keys(_ before: [UInt8]?, _ now: [UInt8]?) -> [String] {
        guard let old = before.flatMap(parsed), let new = now.flatMap(parsed) else { return [] }
        var keys: [String] = []
        add(old, new, at: "", to: &keys)
        return keys
    }

    private static func parsed(_ text: [UInt8]) -> JSONValue? {
        try? JSONParser.parse(text, maximumBytes: ManifestVersion.longestText)
    }

    private static func add(_ old: JSONValue, _ new: JSONValue, at path: String, to keys: inout [String]) {
        guard let before = old.object, let now = new.object else {
            if keys.count < most, old.compactText != new.compactText { keys.append(path) }
            return
        }
        func inner(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        for member in now {
            if let other = old[member.key] {
                add(other, member.value, at: inner(member.key), to: &keys)
            } else if keys.count < most {
                keys.append(inner(member.key))
            }
        }
        for member in before where new[member.key] == nil && keys.count < most { keys.append(inner(member.key)) }
    }
}
