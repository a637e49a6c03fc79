import JSON
package import Manifests
import Scheduling
package import TaskModel

/// A file with changes of the device's conditions: one JSON object a line, in order of time, `{"at": "+2h", "power":
/// "battery", "network": "none"}`. Conditions that a line does not name stay unchanged.
package struct DeviceTrace {
    /// Bytes of the file, and of one line.
    package static let maximumBytes = 16 << 20
    static let maximumLine = 4096
    /// Further faults are not reported.
    private static let mostFaults = 200

    private(set) var changes: [Forecast.Change] = []
    package private(set) var faults: [Diagnostic] = []
    /// Conditions that a line names.
    private(set) var names: Set<ConditionName> = []

    private let file: String
    private let start: Timestamp
    private var conditions: DeviceConditions

    /// - Parameters:
    ///   - bytes: of the file. Without faults there is at least one change.
    ///   - file: its name in faults.
    ///   - start: what `+2h` counts from.
    ///   - conditions: the initial values.
    package init(_ bytes: [UInt8], file: String, from start: Timestamp, conditions: DeviceConditions) {
        self.file = file
        self.start = start
        self.conditions = conditions
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where faults.count < Self.mostFaults {
            let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
            if !isBlank { read(Array(line), number: index + 1) }
        }
        if changes.isEmpty && faults.isEmpty {
            faults.append(
                Diagnostic(
                    file: file, position: .start, path: "$", found: "no line",
                    expected: "at least one, such as {\"at\": \"+2h\", \"power\": \"battery\"}"))
        }
    }

    private mutating func read(_ line: [UInt8], number: Int) {
        var document = DocumentReader(file: file)
        if let change = change(line, &document) { changes.append(change) }
        faults += document.diagnostics.map { fault in
            var fault = fault
            fault.position.line = number
            return fault
        }
    }

    private mutating func change(_ line: [UInt8], _ document: inout DocumentReader) -> Forecast.Change? {
        let names = ConditionName.ofMachine
        guard
            let fields = document.fields(
                document.parse(line, maximumBytes: Self.maximumLine), keys: ["at"] + names.map(\.word),
                expected: "an object, a change of the device")
        else { return nil }
        let at = time(fields, &document)
        let given = names.filter { fields[$0.word] != nil }
        for name in given { set(name, fields[name.word], &document) }
        self.names.formUnion(given)
        if given.isEmpty, !document.hasErrors {
            document.refuse(
                fields.node, expected: "at least one of " + names.map(\.word).joined(separator: ", "),
                found: "no condition")
        }
        guard let at, !document.hasErrors else { return nil }
        return Forecast.Change(at: at, conditions: conditions)
    }

    private func time(_ fields: DocumentFields, _ document: inout DocumentReader) -> Timestamp? {
        let expected = "a time such as \"2026-03-01T12:00:00Z\", or a distance from now such as \"+2h\""
        guard let node = document.required(fields, "at", expected: expected) else { return nil }
        guard let text = node.value.string, let at = Self.time(text, from: start) else {
            document.refuse(node, expected: expected)
            return nil
        }
        if let last = changes.last, at < last.at {
            document.refuse(node, expected: "a time no earlier than that of the line before, \(last.at.iso8601)")
            return nil
        }
        return at
    }

    private static func time(_ text: String, from start: Timestamp) -> Timestamp? {
        guard text.hasPrefix("+") else { return Timestamp(iso8601: text) }
        guard let span = TimeSpan(parsing: String(text.dropFirst())) else { return nil }
        let (sum, overflow) = start.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return overflow ? nil : Timestamp(nanoseconds: sum)
    }

    private mutating func set(_ name: ConditionName, _ node: DocumentNode?, _ document: inout DocumentReader) {
        guard let node else { return }
        let word: String? =
            switch node.value.content {
            case .string(let text): text
            case .integer(let number): String(number)
            case .null, .bool, .unsigned, .double, .array, .object: nil
            }
        if let word, name.set(word, in: &conditions) { return }
        document.refuse(
            node, expected: "one of " + name.values.joined(separator: ", "),
            hint: node.value.string.flatMap { Nearest.hint(for: $0, among: name.values) })
    }
}
