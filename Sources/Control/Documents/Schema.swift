import JSON
package import Manifests
package import TaskModel

/// The schema of a JSON value of the API: validates values, and writes itself into the OpenAPI document.
package indirect enum Schema: Sendable {
    case boolean
    case integer(ClosedRange<Int64>)
    case number
    case string(StringFormat)
    case array(Schema, limit: Int)
    /// These keys and no others.
    case object([Property])
    /// Any keys; all values alike.
    case map(Schema)
    /// An object with arbitrary contents, such as settings.
    case anyObject
    case any
    /// A number, a truth value, a text or null.
    case scalar
    /// An object of that schema which has the list, or else the flag as true, and never both.
    case either(list: String, flag: String, Schema)
    case nullable(Schema)
    /// One that others refer to by its name.
    case named(String, Schema)

    package struct Property: Sendable {
        package var name: String
        package var schema: Schema
        package var summary: String
        package var isRequired: Bool

        package init(_ name: String, _ schema: Schema, _ summary: String = "", optional: Bool = false) {
            self.name = name
            self.schema = schema
            self.summary = summary
            isRequired = !optional
        }
    }

    /// The same under a name, by which others refer to it.
    func named(_ name: String) -> Schema { .named(name, self) }

    // MARK: Checking

    /// Notes every fault of a value.
    package func check(_ node: DocumentNode, _ reader: inout DocumentReader) {
        switch self {
        case .boolean: _ = reader.bool(node)
        case .integer(let range): _ = reader.integer(node, in: range)
        case .number: if node.value.double == nil { reader.refuse(node, expected: expected) }
        case .string(let format): format.check(node, &reader)
        case .array(let element, let limit):
            for inner in reader.elements(node, limit: limit, of: element.expected) ?? [] {
                element.check(inner, &reader)
            }
        case .object(let properties): check(node, properties, &reader)
        case .map(let schema):
            guard let members = node.value.object else { return reader.refuse(node, expected: expected) }
            for member in members {
                schema.check(DocumentNode(member.value, at: node.path.member(member.key)), &reader)
            }
        case .anyObject: if node.value.object == nil { reader.refuse(node, expected: expected) }
        case .any: break
        case .scalar:
            if node.value.array != nil || node.value.object != nil { reader.refuse(node, expected: expected) }
        case .either(let list, let flag, let schema):
            schema.check(node, &reader)
            guard node.value.object != nil, (node.value[list] != nil) == (node.value[flag]?.bool == true) else {
                return
            }
            reader.refuse(node, expected: "\"\(list)\", or \"\(flag)\": true", found: "neither or both")
        case .nullable(let schema):
            if case .null = node.value.content { return }
            schema.check(node, &reader)
        case .named(_, let schema): schema.check(node, &reader)
        }
    }

    private func check(_ node: DocumentNode, _ properties: [Property], _ reader: inout DocumentReader) {
        guard let fields = reader.fields(node, keys: properties.map(\.name)) else { return }
        for property in properties {
            if let inner = fields[property.name] {
                property.schema.check(inner, &reader)
            } else if property.isRequired {
                _ = reader.required(fields, property.name, expected: property.schema.expected)
            }
        }
    }

    /// The continuation of "expected".
    var expected: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number: "a number"
        case .string(let format): format.expected
        case .array(let element, _): "an array of \(element.expected)"
        case .object, .map, .anyObject: "an object"
        case .any: "a value"
        case .scalar: "a number, a truth value, a text or null"
        case .either(_, _, let schema): schema.expected
        case .nullable(let schema): schema.expected + " or null"
        case .named(_, let schema): schema.expected
        }
    }

    // MARK: Reading from text

    /// The value of a parameter's text; lists have commas.
    func value(of text: String) -> JSONValue {
        switch self {
        case .boolean where text == "true" || text == "false": JSONValue(.bool(text == "true"), at: .start)
        case .integer: JSONValue(Int64(text).map { .integer($0) } ?? .string(text), at: .start)
        case .array(let element, _):
            JSONValue(.array(text.split(separator: ",").map { element.value(of: String($0)) }), at: .start)
        case .nullable(let schema), .named(_, let schema), .either(_, _, let schema): schema.value(of: text)
        case .boolean, .number, .string, .object, .map, .anyObject, .any, .scalar: JSONValue(.string(text), at: .start)
        }
    }
}

/// The format of a string.
package enum StringFormat: Sendable {
    /// Bytes at most; no control characters.
    case text(limit: Int)
    /// Several lines, such as a diagnostic.
    case prose
    case identifier
    /// 26 characters.
    case run
    /// 32 bytes in hexadecimal digits.
    case sha256
    /// ISO 8601.
    case dateTime
    /// Bytes in base 64: the limit applies to the decoded bytes.
    case base64(limit: Int)
    case word([String])
    /// The value of a device condition.
    case condition(ConditionName)

    var expected: String {
        switch self {
        case .text(let limit): "a text of at most \(limit) bytes"
        case .prose: "a text"
        case .identifier: IdentifierSyntax.expected
        case .run: "a run's id of 26 characters"
        case .sha256: "64 hexadecimal digits"
        case .dateTime: "a time such as \"2026-03-01T12:00:00Z\""
        case .base64(let limit): "at most \(limit) bytes in base 64"
        case .word(let words): Self.list(words)
        case .condition(let name): Self.list(name.values)
        }
    }

    private static func list(_ words: [String]) -> String {
        "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    func check(_ node: DocumentNode, _ reader: inout DocumentReader) {
        guard let text = node.value.string else { return reader.refuse(node, expected: expected) }
        switch self {
        case .text(let limit): _ = reader.text(node, limit: limit, expected: expected)
        case .prose: break
        case .identifier:
            do throws(SyntaxFault) {
                // A wildcard matches the identifiers that are requested.
                let application = IdentifierSyntax.withoutEvent(text)
                let isEvent = application != text && text.utf8.count <= IdentifierSyntax.maximumLength
                try IdentifierSyntax.check(isEvent ? application : text, allowingWildcard: !isEvent)
            } catch {
                reader.refuse(node, expected: error.expected, hint: error.hint)
            }
        case .run: if ULID(text) == nil { reader.refuse(node, expected: expected) }
        case .sha256: if SHA256Text.bytes(of: text) == nil { reader.refuse(node, expected: expected) }
        case .dateTime: if Timestamp(iso8601: text) == nil { reader.refuse(node, expected: expected) }
        case .base64(let limit):
            guard let bytes = Base64.decode(text), bytes.count <= limit else {
                return reader.refuse(node, expected: expected)
            }
        case .word(let words): _ = reader.choice(node, words.map { ($0, $0) })
        case .condition(let name):
            var conditions = DeviceConditions()
            if !name.set(text, in: &conditions) {
                reader.refuse(node, expected: expected, hint: Nearest.hint(for: text, among: name.values))
            }
        }
    }
}
