import JSON
import Manifests
import TaskModel

// In the form of OpenAPI 3.1: a JSON Schema of draft 2020-12.
extension Schema {
    /// A reference for those that have a name.
    var document: JSONOutput {
        guard case .named(let name, _) = self else { return .object(members) }
        return ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// All that are named, in this one and below it.
    func collectNamed(into all: inout [String: Schema]) {
        switch self {
        case .named(let name, let schema):
            guard all.updateValue(schema, forKey: name) == nil else { return }
            schema.collectNamed(into: &all)
        case .array(let schema, _), .map(let schema), .nullable(let schema), .either(_, _, let schema):
            schema.collectNamed(into: &all)
        case .object(let properties): for property in properties { property.schema.collectNamed(into: &all) }
        case .boolean, .integer, .number, .string, .anyObject, .any, .scalar: break
        }
    }

    private var members: [JSONOutput.Member] {
        switch self {
        case .boolean: [.init("type", "boolean")]
        case .integer(let range):
            [
                .init("type", "integer"), .init("minimum", .integer(range.lowerBound)),
                .init("maximum", .integer(range.upperBound)),
            ]
        case .number: [.init("type", "number")]
        case .string(let format): [.init("type", "string")] + format.members
        case .array(let element, let limit):
            [.init("type", "array"), .init("items", element.document), .init("maxItems", .integer(Int64(limit)))]
        case .object(let properties): Self.members(of: properties)
        case .map(let schema): [.init("type", "object"), .init("additionalProperties", schema.document)]
        case .anyObject: [.init("type", "object")]
        case .any: []
        case .scalar: [.init("type", ["number", "boolean", "string", "null"])]
        case .either(let list, let flag, let schema): schema.members + [.init("oneOf", Self.either(list, flag))]
        case .nullable(let schema): [.init("oneOf", [schema.document, ["type": "null"]])]
        case .named(_, let schema): schema.members
        }
    }

    private static func either(_ list: String, _ flag: String) -> JSONOutput {
        func flagIs(_ value: Bool) -> JSONOutput { .object([.init(flag, ["const": .bool(value)])]) }
        return [
            ["required": [.string(list)], "properties": flagIs(false)],
            ["required": [.string(flag)], "properties": flagIs(true), "not": ["required": [.string(list)]]],
        ]
    }

    private static func members(of properties: [Property]) -> [JSONOutput.Member] {
        let described = properties.map { property in
            JSONOutput.Member(property.name, property.schema.document(describedAs: property.summary))
        }
        let required = properties.filter(\.isRequired).map { JSONOutput.string($0.name) }
        return [
            .init("type", "object"), .init("properties", .object(described)), .init("required", .array(required)),
            .init("additionalProperties", false),
        ]
    }

    func document(describedAs summary: String) -> JSONOutput {
        guard case .object(let members) = document, !summary.isEmpty else { return document }
        return .object(members + [.init("description", .string(summary))])
    }
}

extension StringFormat {
    fileprivate var members: [JSONOutput.Member] {
        switch self {
        case .text(let limit): [.init("minLength", 1), .init("maxLength", .integer(Int64(limit)))]
        case .prose: []
        case .identifier:
            [
                .init("maxLength", .integer(Int64(IdentifierSyntax.maximumLength))),
                .init("pattern", .string(IdentifierSyntax.pattern)),
                .init("not", ["pattern": .string(IdentifierSyntax.run)]),
            ]
        case .run: [.init("pattern", .string(IdentifierSyntax.run))]
        case .sha256: [.init("pattern", "^[0-9A-Fa-f]{64}$")]
        case .dateTime: [.init("format", "date-time")]
        case .base64(let limit):
            [.init("contentEncoding", "base64"), .init("maxLength", .integer(Int64((limit + 2) / 3 * 4)))]
        case .word(let words): [.init("enum", .array(words.map(JSONOutput.string)))]
        case .condition(.battery): [.init("pattern", "^([0-9]|[1-9][0-9]|100|none)$")]
        case .condition(.disk): [.init("pattern", "^(ok|low|unknown|[0-9]{1,19}(B|KiB|MiB|GiB))$")]
        case .condition(let name): [.init("enum", .array(name.values.map(JSONOutput.string)))]
        }
    }
}
