/// A parsed JSON value with its position.
package struct JSONValue: Sendable {
    /// The contents of the value.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// A number without fraction and exponent that fits.
        case integer(Int64)
        /// A number without fraction and exponent above `Int64.max`.
        case unsigned(UInt64)
        /// Any other number; always finite.
        case double(Double)
        case string(String)
        case array([JSONValue])
        /// In the order of the text; no key occurs twice.
        case object([JSONMember])
    }

    package var content: Content
    /// Of the value's first byte.
    package var position: SourcePosition

    package init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
    }
}

/// One member of a JSON object.
package struct JSONMember: Sendable {
    package var key: String
    /// Of the quote that opens the key.
    package var keyPosition: SourcePosition
    package var value: JSONValue

    package init(key: String, keyPosition: SourcePosition, value: JSONValue) {
        self.key = key
        self.keyPosition = keyPosition
        self.value = value
    }

    /// Whether the key has exactly the bytes of `name`.
    ///
    /// `String.==` would also match text that is only canonically equivalent, such as the Kelvin sign for `K`.
    package func isNamed(_ name: String) -> Bool { key.utf8.elementsEqual(name.utf8) }
}

extension JSONValue {
    /// The value of a member; nil when there is none or this is not an object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.isNamed(key) }?.value
    }

    /// The text of a string; nil for any other value.
    package var string: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }

    /// The truth value; nil for any other value.
    package var bool: Bool? {
        guard case .bool(let value) = content else { return nil }
        return value
    }

    /// The whole number, if it fits; nil for any other value.
    package var integer: Int64? {
        guard case .integer(let value) = content else { return nil }
        return value
    }

    /// Any number as a real one; nil for any other value.
    package var double: Double? {
        switch content {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The elements of an array; nil for any other value.
    package var array: [JSONValue]? {
        guard case .array(let elements) = content else { return nil }
        return elements
    }

    /// The members of an object; nil for any other value.
    package var object: [JSONMember]? {
        guard case .object(let members) = content else { return nil }
        return members
    }

    /// The value as one line of JSON text.
    package var compactText: String { JSONOutput(self).text() }
}
