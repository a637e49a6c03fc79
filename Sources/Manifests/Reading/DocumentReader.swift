package import JSON

/// A value of a document together with its path.
package struct DocumentNode: Sendable {
    package var value: JSONValue
    package var path: JSONPath

    package init(_ value: JSONValue, at path: JSONPath) {
        self.value = value
        self.path = path
    }
}

/// Reads a strict JSON document piece by piece and gathers every fault on the way.
///
/// Every reading function returns nil when the value is absent or at fault; a fault has then been noted, so that the caller
/// continues with other checks.
package struct DocumentReader: Sendable {
    /// Faults after this many are counted, not kept, so that a hostile file cannot fill the memory.
    package static let maximumDiagnostics = 200

    /// The file as it was named to us.
    package let file: String
    /// The text that was parsed.
    package private(set) var text: [UInt8] = []
    private var kept: [Diagnostic] = []
    private var omitted = 0
    /// Whether any fault was an error.
    package private(set) var hasErrors = false

    package init(file: String) { self.file = file }

    /// All faults in the order of the file; the last one has the number of further ones.
    package var diagnostics: [Diagnostic] {
        var all = kept.sorted { $0.position.offset < $1.position.offset }
        if omitted > 0, let last = all.last {
            all.append(
                Diagnostic(
                    severity: hasErrors ? .error : .warning, file: file, position: last.position, path: "$",
                    found: "\(omitted) more faults", expected: "none",
                    hint: "correct those above and check the file again"))
        }
        return all
    }

    /// Parses the text; nil, and one fault, when it is not JSON.
    package mutating func parse(_ bytes: [UInt8], maximumBytes: Int) -> DocumentNode? {
        text = bytes
        do throws(JSONError) {
            return DocumentNode(try JSONParser.parse(bytes, maximumBytes: maximumBytes), at: .root)
        } catch {
            note(.error, error.position, .root, found: error.found, expected: error.expected, hint: error.hint)
            return nil
        }
    }

    // MARK: Noting faults

    /// Notes an error about a value.
    package mutating func refuse(_ node: DocumentNode, expected: String, found: String? = nil, hint: String? = nil) {
        note(
            .error, node.value.position, node.path, found: found ?? node.value.summary, expected: expected, hint: hint)
    }

    /// The same for a reader that has nothing to return then.
    package mutating func refused<Value>(
        _ node: DocumentNode, expected: String, found: String? = nil, hint: String? = nil
    ) -> Value? {
        refuse(node, expected: expected, found: found, hint: hint)
        return nil
    }

    /// Notes a warning about a value.
    package mutating func warn(
        _ node: DocumentNode, expected: String, found: String? = nil, hint: String? = nil,
        severity: Diagnostic.Severity = .warning
    ) {
        note(
            severity, node.value.position, node.path, found: found ?? node.value.summary, expected: expected, hint: hint
        )
    }

    /// Notes a fault anywhere.
    package mutating func note(
        _ severity: Diagnostic.Severity, _ position: SourcePosition, _ path: JSONPath, found: String, expected: String,
        hint: String? = nil
    ) {
        if severity == .error { hasErrors = true }
        guard kept.count < Self.maximumDiagnostics else {
            omitted += 1
            return
        }
        kept.append(
            Diagnostic(
                severity: severity, file: file, position: position, path: path.description, found: found,
                expected: expected, hint: hint))
    }
}

extension JSONValue {
    /// The value in a few words, for a message.
    package var summary: String {
        switch content {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer, .unsigned, .double: "the number \(JSONWriter.excerpt(compactText))"
        case .string(let text): JSONWriter.quoted(text)
        case .array(let elements): elements.isEmpty ? "an empty array" : "an array"
        case .object(let members): members.isEmpty ? "an empty object" : "an object"
        }
    }
}
