import JSON

/// A value of a document as a cell of a table.
enum ListCell {
    /// The text, the number, or `-` for a missing value.
    static func text(_ value: JSONValue?) -> String {
        switch value?.content {
        case .string(let text): text.isEmpty ? "-" : text
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let truth): truth ? "yes" : "no"
        case nil, .null, .unsigned, .array, .object: "-"
        }
    }
}
