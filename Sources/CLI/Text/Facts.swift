import JSON

/// Names and values in lines, for one object. Values are shown on one line, without control characters.
struct Facts {
    private var lines: [(name: String, value: String)] = []

    /// Skips nil; `paint` may color the value.
    mutating func add(_ name: String, _ value: String?, paint: (String) -> String = { $0 }) {
        if let value { lines.append((name, paint(JSONWriter.printable(value)))) }
    }

    var text: String {
        let width = lines.map(\.name.cells).max() ?? 0
        return lines.map { $0.name.padded(to: width + 2) + $0.value }.joined(separator: "\n")
    }
}
