import JSON

/// Walks over the bytes of a small text.
struct Scanner {
    let bytes: [UInt8]
    private(set) var offset = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// - Throws: when the text has more bytes.
    init(_ text: String, atMost limit: Int) throws(SyntaxFault) {
        guard text.utf8.count <= limit else {
            throw SyntaxFault(at: limit, found: "\(text.utf8.count) bytes", expected: "at most \(limit) bytes")
        }
        self.init(text)
    }

    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }
    var isAtEnd: Bool { offset == bytes.count }

    mutating func skipSpaces() {
        while peek == UInt8(ascii: " ") || peek == UInt8(ascii: "\t") { offset += 1 }
    }

    /// Skips a byte if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    /// Skips a text if it is next.
    mutating func take(_ text: String) -> Bool {
        guard bytes[offset...].starts(with: text.utf8) else { return false }
        offset += text.utf8.count
        return true
    }

    /// Steps over all bytes of a class.
    mutating func takeAll(where isWanted: (UInt8) -> Bool) -> String {
        let start = offset
        while let byte = peek, isWanted(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Letters, digits and underscores from here.
    mutating func takeWord() -> String {
        takeAll { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    /// A fault at the present position.
    func fault(expecting expected: String, hint: String? = nil) -> SyntaxFault {
        let rest = String(decoding: bytes[offset...], as: UTF8.self)
        let found = rest.unicodeScalars.first.map { JSONWriter.quoted(String($0)) } ?? "the end"
        return SyntaxFault(at: offset, found: found, expected: expected, hint: hint)
    }
}
