/// Text of others within a packing, without the characters that separate the packing's parts: U+001E and U+001F, and U+001A,
/// which begins an escape. Each stands as U+001A and its character of caret notation: `^`, `_` and `Z`.
///
/// Works on scalars: a character of Swift may join a separator, or a field's edge, with what stands beside it.
enum EscapedText {
    private static let escape: Unicode.Scalar = "\u{1A}"

    static func escaping(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(where: { letter(for: $0) != nil }) else { return String(text) }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let letter = letter(for: scalar)
            scalars.append(letter == nil ? scalar : escape)
            if let letter { scalars.append(letter) }
        }
        return String(scalars)
    }

    /// Reads what `escaping` wrote. In text of earlier versions, which escaped nothing, U+001A before another character is
    /// itself.
    static func unescaping(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(escape) else { return String(text) }
        var scalars = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == escape, let next = rest.first, let meant = meaning(of: next) {
                scalars.append(meant)
                rest.removeFirst()
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// The parts between separators, each as it stands.
    static func split(_ text: some StringProtocol, at separator: Unicode.Scalar) -> [String] {
        text.unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map {
            String(String.UnicodeScalarView($0))
        }
    }

    /// The longest beginning of whole characters that has at most `size` bytes of UTF-8 once it is escaped, escaped.
    static func escaping(_ text: String, within size: Int) -> String {
        var used = 0
        var kept = ""
        for character in text {
            let piece = escaping(String(character))
            used += piece.utf8.count
            if used > size { break }
            kept += piece
        }
        return kept
    }

    private static func letter(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "\u{1A}": "Z"
        case "\u{1E}": "^"
        case "\u{1F}": "_"
        default: nil
        }
    }

    private static func meaning(of letter: Unicode.Scalar) -> Unicode.Scalar? {
        switch letter {
        case "Z": "\u{1A}"
        case "^": "\u{1E}"
        case "_": "\u{1F}"
        default: nil
        }
    }
}
