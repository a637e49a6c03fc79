import JSON

/// As much of JSON Schema (draft 2020-12) as the OpenAPI document uses, apart from formats: what a client of another language
/// makes of it.
struct JSONSchema {
    let schema: JSONValue
    /// `components.schemas` of the document.
    let named: JSONValue?

    func allows(_ value: JSONValue) -> Bool {
        if let reference = schema["$ref"]?.string {
            let name = String(reference.dropFirst("#/components/schemas/".count))
            guard let target = named?[name] else { return false }
            return inner(target).allows(value)
        }
        return hasType(value) && fitsText(value) && fitsNumber(value) && fitsArray(value) && fitsObject(value)
            && fitsOthers(value)
    }

    private func inner(_ schema: JSONValue) -> JSONSchema { JSONSchema(schema: schema, named: named) }

    private func hasType(_ value: JSONValue) -> Bool {
        guard let type = schema["type"] else { return true }
        return (type.array ?? [type]).compactMap(\.string).contains { name in
            switch (name, value.content) {
            case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object): true
            case ("integer", .integer), ("integer", .unsigned): true
            case ("number", .integer), ("number", .unsigned), ("number", .double): true
            default: false
            }
        }
    }

    private func fitsText(_ value: JSONValue) -> Bool {
        guard let text = value.string else { return true }
        if let limit = schema["maxLength"]?.integer, text.unicodeScalars.count > limit { return false }
        if let least = schema["minLength"]?.integer, text.unicodeScalars.count < least { return false }
        guard let pattern = schema["pattern"]?.string else { return true }
        return (try? Regex(pattern)).flatMap { text.firstMatch(of: $0) } != nil
    }

    private func fitsNumber(_ value: JSONValue) -> Bool {
        guard let number = value.double else { return true }
        return number >= schema["minimum"]?.double ?? number && number <= schema["maximum"]?.double ?? number
    }

    private func fitsArray(_ value: JSONValue) -> Bool {
        guard let elements = value.array else { return true }
        if let limit = schema["maxItems"]?.integer, elements.count > limit { return false }
        return schema["items"].map { items in elements.allSatisfy { inner(items).allows($0) } } ?? true
    }

    private func fitsObject(_ value: JSONValue) -> Bool {
        guard let members = value.object else { return true }
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where value[name] == nil { return false }
        for member in members {
            if let property = schema["properties"]?[member.key] {
                guard inner(property).allows(member.value) else { return false }
            } else if schema["additionalProperties"]?.bool == false {
                return false
            }
        }
        return true
    }

    private func fitsOthers(_ value: JSONValue) -> Bool {
        if let words = schema["enum"]?.array, !words.contains(where: { $0.compactText == value.compactText }) {
            return false
        }
        if let only = schema["const"], only.compactText != value.compactText { return false }
        if let not = schema["not"], inner(not).allows(value) { return false }
        guard let choices = schema["oneOf"]?.array else { return true }
        return choices.count { inner($0).allows(value) } == 1
    }
}
