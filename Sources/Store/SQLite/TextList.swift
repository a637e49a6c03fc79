/// A list of sentences as one text, separated by U+001E (record separator), so that sentences may span lines. What a sentence
/// has of the separators is escaped (`EscapedText`).
enum TextList {
    static let maximumCount = 64
    /// Of one list, in bytes of UTF-8.
    static let maximumSize = 64 << 10

    private static let separator: Unicode.Scalar = "\u{1E}"

    /// Joins the sentences that fit; empty sentences, and those beyond the limits, are skipped. An empty text means no
    /// sentence.
    static func pack(_ sentences: [String]) -> String {
        var text = ""
        for sentence in sentences.lazy.filter({ !$0.isEmpty }).prefix(maximumCount) {
            let rest = maximumSize - text.utf8.count - 1
            guard rest > 0 else { break }
            let whole = EscapedText.escaping(sentence)
            let fitting = whole.utf8.count <= rest ? whole : EscapedText.escaping(sentence, within: rest)
            if !text.isEmpty { text.unicodeScalars.append(separator) }
            text += fitting
        }
        return text
    }

    static func unpack(_ text: String) -> [String] {
        EscapedText.split(text, at: separator).filter { !$0.isEmpty }.map { EscapedText.unescaping($0) }
    }
}
