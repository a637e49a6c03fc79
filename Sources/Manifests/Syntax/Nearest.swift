/// Guesses which known word was meant.
package enum Nearest {
    /// `did you mean "wallClock"?`, or nil when no word is near enough.
    package static func hint(for word: String, among known: [String]) -> String? {
        match(for: word, among: known).map(question)
    }

    /// The hint for a word that was found.
    static func question(_ word: String) -> String { "did you mean \"\(word)\"?" }

    /// The known word with the fewest edits, if they are at most a third of its length (and at least one is allowed).
    package static func match(for word: String, among known: [String]) -> String? {
        let letters = folded(word)
        // A long word is no slip of the keyboard, and distance takes time by its length.
        guard !letters.isEmpty, letters.count <= 64 else { return nil }
        var best: (word: String, edits: Int)?
        for candidate in known {
            let edits = distance(letters, folded(candidate))
            let allowed = max(1, candidate.utf8.count / 3)
            if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        return best?.word
    }

    /// Case and separators do not count: `wall_clock` is `wallClock`.
    private static func folded(_ word: String) -> [UInt8] {
        word.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
            .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before: [Int] = []
        var previous = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var edits = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { edits = min(edits, before[j - 1] + 1) }
                row.append(edits)
            }
            before = previous
            previous = row
        }
        return previous[b.count]
    }
}
