/// A line of a file that cron or systemd reads.
struct ImportedLine {
    /// Without its end. What is no text is replaced.
    var text: String
    /// It is text, in UTF-8 and without a zero byte: a manifest can say it.
    var isText: Bool

    /// The lines of a file. LF ends one, or CR LF, which editors of Windows write; a byte order mark is none of the text.
    static func lines(of bytes: [UInt8]) -> [ImportedLine] {
        let whole = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
                return ImportedLine(text: String(decoding: line, as: UTF8.self), isText: false)
            }
            return ImportedLine(text: text, isText: true)
        }
    }
}
