/// A list of sentences as one text, separated by U+001E (record separator), so that sentences may span lines.
enum TextList {
    static let maximumCount = 64
    /// Of one list, in bytes of UTF-8.
    static let maximumSize = 64 << 10

    private static let separator: Character = "\u{1E}"

    /// Joins the sentences that fit; empty sentences, and those beyond the limits, are skipped. An empty text means no
    /// sentence.
    static func pack(_ sentences: [String]) -> String {
        var text = ""
        for sentence in sentences.lazy.filter({ !$0.isEmpty }).prefix(maximumCount) {
            let rest = maximumSize - text.utf8.count - 1
            guard rest > 0 else { break }
            if !text.isEmpty { text.append(separator) }
            let fitting = sentence.utf8.count <= rest ? sentence : prefix(of: sentence, size: rest)
            text.append(contentsOf: fitting.map { $0 == separator ? " " : $0 })
        }
        return text
    }

    static func unpack(_ text: String) -> [String] { text.split(separator: separator).map(String.init) }

    /// The longest run of whole characters within `size` bytes.
    private static func prefix(of sentence: String, size: Int) -> String {
        var used = 0
        return String(
            sentence.prefix { character in
                used += character.utf8.count
                return used <= size
            })
    }
}
