import JSON
import Linux
import Manifests

/// The line of a file that a fault stands in, and a mark below what was found.
struct SourceExcerpt {
    private let line: String
    private let mark: String

    /// - Parameters:
    ///   - text: the file.
    ///   - position: its line and column are used.
    ///   - columns: the most that a line of the excerpt takes.
    /// - Returns: nil if the text has no such position: the file has changed since.
    init?(of text: [UInt8], at position: SourcePosition, columns: Int) {
        let lines = text.split(separator: Self.newline, omittingEmptySubsequences: false)
        guard !text.isEmpty, lines.indices.contains(position.line - 1) else { return nil }
        let scalars = Array(String(decoding: lines[position.line - 1], as: UTF8.self).unicodeScalars)
        guard position.column >= 1, position.column - 1 <= scalars.count else { return nil }
        let number = "\(position.line)"
        let room = max(columns - number.count - 5, 16)
        let rest = scalars[(position.column - 1)...]
        let length = Self.lengthOfToken(rest)
        var before = Self.plain(scalars[..<(position.column - 1)])
        let token = Self.plain(rest.prefix(length))
        let after = Self.plain(rest.dropFirst(length))
        // What stands before a distant place is cut, so that the mark is seen.
        let shown = min(max(token.count, 1), room / 2) + min(after.count, 8)
        if before.count + shown > room { before = "…" + before.suffix(room - shown - 1) }
        let whole = before + token + after
        line = "  \(number) | " + (whole.count > room ? whole.prefix(room - 1) + "…" : whole)
        mark =
            String(repeating: " ", count: number.count + 2) + " | " + String(repeating: " ", count: before.count) + "^"
            + String(repeating: "~", count: max(0, min(token.count, room - before.count) - 1))
    }

    var lines: [String] { [line, mark] }

    private static let newline = UInt8(ascii: "\n")

    /// The text with control characters, such as tabs, as spaces.
    private static func plain(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in scalars { text.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return String(text)
    }

    /// The scalars of the value or name at the beginning of a text, within its line.
    private static func lengthOfToken(_ text: ArraySlice<Unicode.Scalar>) -> Int {
        guard let first = text.first else { return 0 }
        if first == "\"" {
            var isEscaped = false
            for (index, scalar) in text.enumerated().dropFirst() {
                if scalar == first, !isEscaped { return index + 1 }
                isEscaped = scalar == "\\" && !isEscaped
            }
            return text.count
        }
        return max(1, text.prefix { !" ,:[]{}\r\t".unicodeScalars.contains($0) }.count)
    }
}

extension Terminal {
    /// Writes each fault as a line, and below it the line of its file with a mark.
    func note(_ diagnostics: [Diagnostic]) {
        var file: (name: String, text: [UInt8])?
        for diagnostic in diagnostics {
            note("\(diagnostic)")
            if file?.name != diagnostic.file { file = (diagnostic.file, Self.text(of: diagnostic.file)) }
            let excerpt = SourceExcerpt(
                of: file?.text ?? [], at: diagnostic.position, columns: (errorWidth ?? 120) - 1)
            for line in excerpt?.lines ?? [] { note(line) }
        }
    }

    /// A file that was read a moment ago; empty if it is no longer there.
    private static func text(of path: String) -> [UInt8] {
        guard let file = try? Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK]) else { return [] }
        return (try? FileSystem.read(file, limit: ManifestLimits.fileBytes, naming: path)) ?? []
    }
}
