/// Writes JSON text that is safe on a terminal: every control character, C1 included, is escaped.
package struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let layout: JSONOutput.Layout
    private var depth = 0

    init(_ layout: JSONOutput.Layout) { self.layout = layout }

    mutating func write(_ value: JSONOutput) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .unsigned(let value): append(String(value))
        // Swift's description is the shortest text that reads back the same, and valid JSON for every finite value.
        case .double(let value): append(value.isFinite ? value.description : "null")
        case .string(let text): write(text)
        case .verbatim(let text): bytes += text
        case .array(let elements):
            list(elements, open: "[", close: "]") { writer, element in writer.write(element) }
        case .object(let members):
            list(members, open: "{", close: "}") { writer, member in
                writer.write(member.key)
                writer.append(writer.layout == .pretty ? ": " : ":")
                writer.write(member.value)
            }
        }
    }

    private mutating func list<Element>(
        _ elements: [Element], open: Unicode.Scalar, close: Unicode.Scalar,
        each: (inout JSONWriter, Element) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            each(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        bytes.append(UInt8(ascii: close))
    }

    private mutating func breakLine() {
        guard layout == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let utf8 = text.utf8Span.span
        // Most texts need no escape, and go in one piece.
        if utf8.indices.contains(where: { Self.mayNeedEscape(utf8[$0]) }) { escape(utf8) } else { append(text) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte of UTF-8 is escaped, or leads a character that is.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xC2
    }

    private mutating func escape(_ utf8: Span<UInt8>) {
        var leadsC1 = false
        for place in utf8.indices {
            let byte = utf8[place]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F: append(Self.escape(byte))
            case 0x80..<0xA0 where leadsC1:
                // U+0080 to U+009F are C2 80 to C2 9F: take the lead byte back. Terminals may obey them.
                bytes.removeLast()
                append(Self.escape(byte))
            default: bytes.append(byte)
            }
            leadsC1 = byte == 0xC2
        }
    }

    /// The escape of a control character up to U+00FF.
    static func escape(_ byte: UInt8) -> String {
        switch byte {
        case 0x08: "\\b"
        case 0x0C: "\\f"
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x09: "\\t"
        default: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}

extension JSONWriter {
    /// The text with every character as its escape that a terminal obeys, such as `\n`, or that changes the order of others,
    /// such as U+202E: on one line, and what it shows is what is there.
    ///
    /// - Parameter kept: control characters that stay.
    package static func printable(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
        func isMasked(_ scalar: Unicode.Scalar) -> Bool { obeyed(scalar) && !kept.contains(scalar) }
        guard text.unicodeScalars.contains(where: isMasked) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if !isMasked(scalar) {
                result.unicodeScalars.append(scalar)
            } else if scalar.value <= 0xFF {
                result += escape(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }

    /// Control characters, ends of lines and paragraphs, and what sets the direction of text (Unicode's Bidi_Control).
    private static func obeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: scalar.value != 0x202F
        default: scalar.properties.generalCategory == .control
        }
    }

    /// A text in quotes for a message: on one line, escaped, cut after `limit` scalars.
    package static func quoted(_ text: String, limit: Int = 60) -> String {
        var writer = JSONWriter(.compact)
        writer.write(excerpt(text, limit: limit))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The first `limit` scalars of a text, with `…` when something was cut.
    package static func excerpt(_ text: String, limit: Int = 60) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
