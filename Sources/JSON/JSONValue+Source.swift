extension JSONValue {
    /// The value as written, on one line: every token keeps its bytes, such as `1.50`, `1e3` or `"\u0041"`; white space
    /// between tokens is removed.
    ///
    /// - Parameter text: the text that the value was parsed from.
    package func oneLine(of text: [UInt8]) -> [UInt8] {
        var line: [UInt8] = []
        var depth = 0
        var next = position.offset
        while next < text.count {
            let byte = text[next]
            switch byte {
            case UInt8(ascii: "\""):
                let end = Self.end(ofStringAt: next, in: text)
                line += text[next..<end]
                next = end
                if depth == 0 { return line }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
                // The text after a number or a word does not belong to it.
                guard depth > 0 else { return line }
                if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
                if depth == 0 { return line + [byte] }
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                guard depth > 0 else { return line }
                next += 1
                continue
            default: break
            }
            line.append(byte)
            next += 1
        }
        return line
    }

    /// The position after the closing quote of the string that starts there.
    private static func end(ofStringAt start: Int, in text: [UInt8]) -> Int {
        var next = start + 1
        while next < text.count {
            if text[next] == UInt8(ascii: "\"") { return next + 1 }
            next += text[next] == UInt8(ascii: "\\") ? 2 : 1
        }
        return text.count
    }
}

extension JSONOutput {
    /// The value with its numbers as they are written.
    ///
    /// - Parameter text: that the value was parsed from.
    package init(_ value: JSONValue, asIn text: [UInt8]) {
        self =
            switch value.content {
            case .integer, .unsigned, .double: .verbatim(value.oneLine(of: text))
            case .array(let elements): .array(elements.map { JSONOutput($0, asIn: text) })
            case .object(let members): .object(members.map { Member($0.key, JSONOutput($0.value, asIn: text)) })
            case .null, .bool, .string: JSONOutput(value)
            }
    }
}
