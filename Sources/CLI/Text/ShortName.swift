import JSON

/// A task's identifier by its last part: `scrub` for `org.taskhost.examples.scrub`, where one task alone has it.
enum ShortName {
    /// The identifiers that the word stands for; the word itself, where it is one of them.
    static func matches(_ word: String, among identifiers: some Sequence<String>) -> [String] {
        var matches: [String] = []
        let ending = "." + word
        for identifier in identifiers {
            if identifier == word { return [word] }
            if identifier.hasSuffix(ending) { matches.append(identifier) }
        }
        return matches
    }

    /// Several tasks have the name.
    static func ambiguous(_ word: String, _ matches: [String]) -> Failure {
        .usage("several tasks have this name; \(word); write one of \(matches.sorted().joined(separator: ", "))")
    }
}

extension ControlClient {
    /// The identifier that a word names: itself, unless it is the last part of one task's. Words with a dot are whole
    /// identifiers and cost no question.
    func identifier(for word: String) throws(Failure) -> String {
        guard !word.contains("."), !word.contains(":"), !word.isEmpty else { return word }
        let matches = ShortName.matches(word, among: try taskIdentifiers())
        guard matches.count < 2 else { throw ShortName.ambiguous(word, matches) }
        return matches.first ?? word
    }
}
