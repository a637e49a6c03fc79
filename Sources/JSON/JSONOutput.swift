/// A JSON document that is going to be written.
package enum JSONOutput: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    /// Written in the shortest form that reads back the same; NaN and infinities become `null`.
    case double(Double)
    case string(String)
    case array([JSONOutput])
    /// Written in this order. Keys are not checked for being unique.
    case object([Member])
    /// JSON text of one value, written unchanged: only for programs, since a terminal may interpret its contents.
    case verbatim([UInt8])

    /// One member of an object.
    package struct Member: Sendable, Equatable {
        package var key: String
        package var value: JSONOutput

        package init(_ key: String, _ value: JSONOutput) {
            self.key = key
            self.value = value
        }
    }

    /// How a document is laid out.
    package enum Layout: Sendable {
        /// One line without spaces.
        case compact
        /// A member or element a line, indented by two spaces.
        case pretty
    }

    /// The document as text, without a line feed at its end.
    package func text(_ layout: Layout = .compact) -> String {
        String(decoding: bytes(layout), as: UTF8.self)
    }

    /// The document as UTF-8, without a line feed at its end.
    package func bytes(_ layout: Layout = .compact) -> [UInt8] {
        var writer = JSONWriter(layout)
        writer.write(self)
        return writer.bytes
    }
}

extension JSONOutput {
    /// The object with one more member at its end; any other value is unchanged.
    package func adding(_ key: String, _ value: JSONOutput) -> JSONOutput {
        guard case .object(let members) = self else { return self }
        return .object(members + [Member(key, value)])
    }

    /// The object with another value for a key that it has; any other value is unchanged.
    package func replacing(_ key: String, by value: JSONOutput) -> JSONOutput {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.key == key ? Member(key, value) : $0 })
    }

    /// The object with that value of the key, at its place or at the end; any other value is unchanged.
    package func setting(_ key: String, _ value: JSONOutput) -> JSONOutput {
        guard case .object(let members) = self, members.contains(where: { $0.key == key }) else {
            return adding(key, value)
        }
        return replacing(key, by: value)
    }

    /// The object without a key; any other value is unchanged.
    package func removing(_ key: String) -> JSONOutput {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key })
    }

    /// An object of members in order.
    package static func object(_ members: KeyValuePairs<String, JSONOutput>) -> JSONOutput {
        .object(members.map { Member($0.key, $0.value) })
    }

    /// The string, or `null` for nil.
    package init(_ text: String?) { self = text.map(JSONOutput.string) ?? .null }

    /// The number, or `null` for nil.
    package init(_ value: (some BinaryInteger)?) {
        guard let value else {
            self = .null
            return
        }
        if let signed = Int64(exactly: value) {
            self = .integer(signed)
        } else if let unsigned = UInt64(exactly: value) {
            self = .unsigned(unsigned)
        } else {
            self = .double(Double(value))
        }
    }

    /// The number, or `null` for nil, NaN and infinities.
    package init(_ value: Double?) { self = value.map(JSONOutput.double) ?? .null }

    /// A parsed value, without its positions.
    package init(_ value: JSONValue) {
        self =
            switch value.content {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .unsigned(let value): .unsigned(value)
            case .double(let value): .double(value)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { JSONOutput($0) })
            case .object(let members): .object(members.map { Member($0.key, JSONOutput($0.value)) })
            }
    }
}

extension JSONOutput: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSONOutput...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONOutput)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
