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
        // A long word is not a typing error.
        guard let meant = EditPattern(word) else { return nil }
        var best: (word: String, edits: Int)?
        for candidate in known {
            let edits = meant.distance(to: candidate)
            let allowed = max(1, candidate.utf8.count / 3)
            if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        return best?.word
    }
}
