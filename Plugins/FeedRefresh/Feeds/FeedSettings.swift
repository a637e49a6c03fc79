package import Foundation

/// The manifest's `settings`:
/// `{"feeds": ["https://…"], "list": "$STATE/feeds.txt", "timeout": 10, "maximumBytes": 4194304}`, all optional.
package struct FeedSettings: Sendable, Equatable {
    package var feeds: [String] = []
    /// A file with one address a line.
    package var list = "$STATE/feeds.txt"
    /// Seconds for one feed in all.
    package var timeout = 10
    package var maximumBytes = FeedLimits.document

    package init() {}

    /// Reads the JSON text of the settings; every fault is told, none is guessed around.
    package init(json: Data) throws(FeedProblem) {
        guard !json.isEmpty else { return }
        guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
            throw .settings("not a JSON object")
        }
        for (key, value) in object {
            switch key {
            case "feeds":
                guard let texts = value as? [String] else { throw .settings("\"feeds\" is no list of addresses") }
                feeds = texts
            case "list":
                guard let text = value as? String, !text.isEmpty else { throw .settings("\"list\" is no path") }
                list = text
            case "timeout": timeout = try Self.number(key, value, 1...300)
            case "maximumBytes": maximumBytes = try Self.number(key, value, 1024...(64 << 20))
            default:
                throw .settings("\"\(key)\" is not known; use \"feeds\", \"list\", \"timeout\" and \"maximumBytes\"")
            }
        }
    }

    private static func number(_ key: String, _ value: Any, _ range: ClosedRange<Int>) throws(FeedProblem) -> Int {
        guard let number = value as? Int, range.contains(number) else {
            throw .settings("\"\(key)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The list's file, with `$STATE`, `$CACHE` and `$MANIFEST` replaced by those folders.
    package func listFile(state: URL, cache: URL, manifest: URL) -> URL {
        for (name, folder) in [("$STATE/", state), ("$CACHE/", cache), ("$MANIFEST/", manifest)]
        where list.hasPrefix(name) {
            return folder.appending(path: list.dropFirst(name.count))
        }
        return URL(filePath: list, relativeTo: state)
    }
}
