/// The last lines of a process's output, for display.
package enum LastLines {
    private static let most = 4
    private static let longest = 256

    /// The non-empty ones, oldest first: few and short, for any bytes.
    package static func of(_ bytes: some BidirectionalCollection<UInt8>) -> [String] {
        var lines = bytes.split { $0 == 0x0A || $0 == 0x0D }[...]
        // What Swift's runtime prints after the sentence that it ends a process with is longer than all that is shown here.
        if let trace = lines.lastIndex(where: { $0.elementsEqual("Current stack trace:".utf8) }), trace > 0 {
            lines = lines[..<trace]
        }
        return lines.suffix(most).map { line in
            let text = String(decoding: line.prefix(longest), as: UTF8.self)
            return line.count > longest ? text + "…" : text
        }
    }
}
