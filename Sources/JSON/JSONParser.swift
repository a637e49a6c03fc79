/// A strict reader of RFC 8259 text: no comments, no trailing commas, no duplicate keys, valid UTF-8 only.
package struct JSONParser {
    /// Arrays and objects may nest this deep.
    package static let maximumDepth = 64

    let bytes: [UInt8]
    var offset = 0
    private var line = 1
    private var lineStart = 0
    /// Bytes of the present line that continue a scalar, so that columns count scalars.
    var continuations = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Parses a whole text.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8, without a byte order mark.
    ///   - maximumBytes: longer texts are refused unread.
    /// - Throws: the first fault, with its position.
    package static func parse(_ bytes: [UInt8], maximumBytes: Int) throws(JSONError) -> JSONValue {
        guard bytes.count <= maximumBytes else {
            throw JSONError(.tooLarge(bytes: bytes.count, limit: maximumBytes), at: .start)
        }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw JSONError(.byteOrderMark, at: .start) }
        var parser = JSONParser(bytes)
        parser.skipSpace()
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.peek == nil else { throw parser.fault(expecting: "nothing after the value") }
        return value
    }

    /// Parses a whole text that is already a string.
    package static func parse(_ text: String, maximumBytes: Int) throws(JSONError) -> JSONValue {
        try parse(Array(text.utf8), maximumBytes: maximumBytes)
    }

    // MARK: The grammar

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        let start = position
        guard let byte = peek else { throw fault(expecting: "a value") }
        switch byte {
        case UInt8(ascii: "{"): return JSONValue(.object(try object(depth: depth + 1)), at: start)
        case UInt8(ascii: "["): return JSONValue(.array(try array(depth: depth + 1)), at: start)
        case UInt8(ascii: "\""): return JSONValue(.string(try string()), at: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return JSONValue(try number(), at: start)
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw fault(expecting: "a value")
        }
    }

    private mutating func word(_ word: StaticString, _ content: JSONValue.Content) throws(JSONError) -> JSONValue {
        let start = position
        let text = String(describing: word)
        guard bytes[offset...].starts(with: text.utf8) else {
            throw JSONError(.syntax(found: letters(), expected: "'\(text)'", hint: nil), at: start)
        }
        offset += text.utf8.count
        return JSONValue(content, at: start)
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        try enter(depth)
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw fault(expecting: "',' or ']' after an element") }
            skipSpace()
            if peek == UInt8(ascii: "]") {
                throw fault(expecting: "an element after ','", hint: "JSON has no trailing commas")
            }
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> [JSONMember] {
        try enter(depth)
        var members: [JSONMember] = []
        // Keys are compared by their bytes; see JSONMember.isNamed.
        var seen: [[UInt8]: SourcePosition] = [:]
        if take(UInt8(ascii: "}")) { return members }
        while true {
            let keyPosition = position
            guard peek == UInt8(ascii: "\"") else {
                let hint = peek == UInt8(ascii: "}") && !members.isEmpty ? "JSON has no trailing commas" : nil
                throw fault(
                    expecting: members.isEmpty ? "a key in double quotes or '}'" : "a key in double quotes after ','",
                    hint: hint)
            }
            let key = try string()
            if let first = seen.updateValue(keyPosition, forKey: Array(key.utf8)) {
                throw JSONError(.duplicateKey(key, first: first), at: keyPosition)
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault(expecting: "':' after a key") }
            skipSpace()
            members.append(JSONMember(key: key, keyPosition: keyPosition, value: try value(depth: depth)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw fault(expecting: "',' or '}' after a member") }
            skipSpace()
        }
    }

    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= Self.maximumDepth else { throw JSONError(.tooDeep(limit: Self.maximumDepth), at: position) }
        offset += 1
        skipSpace()
    }

    // MARK: Bytes

    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    var position: SourcePosition {
        SourcePosition(line: line, column: offset - lineStart - continuations + 1, offset: offset)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"):
                offset += 1
                line += 1
                lineStart = offset
                continuations = 0
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
            default: return
            }
        }
    }
}
