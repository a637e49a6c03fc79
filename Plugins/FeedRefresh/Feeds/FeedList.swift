package import Foundation

/// Which feeds to refresh, from a file with one address a line and from the settings.
package struct FeedList: Sendable {
    package private(set) var addresses: [URL] = []
    /// What in the list is no address, or beyond the number that is read.
    package private(set) var faults: [String] = []

    package init() {}

    /// Adds the lines of a file; `#` begins a comment. A file that is not there has none.
    package mutating func add(file: URL) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            if !words.isEmpty { add(words, from: "\(file.lastPathComponent):\(index + 1)") }
        }
    }

    /// Adds one address; one that is there already is not added again.
    package mutating func add(_ text: String, from place: String) {
        guard let url = Self.address(text) else {
            faults.append("\(place): \(FeedProblem.badAddress(String(text.prefix(100))))")
            return
        }
        guard !addresses.contains(url) else { return }
        guard addresses.count < FeedLimits.feeds else {
            faults.append("\(place): more than \(FeedLimits.feeds) feeds; this one is left out")
            return
        }
        addresses.append(url)
    }

    private static func address(_ text: String) -> URL? {
        guard text.utf8.count <= FeedLimits.address, let url = URL(string: text),
            ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host(), !host.isEmpty
        else { return nil }
        return url
    }
}
