/// Names and values below each other, for what is one thing only.
struct Facts {
    private var lines: [(name: String, value: String)] = []

    /// Leaves nil out.
    mutating func add(_ name: String, _ value: String?) {
        if let value { lines.append((name, value)) }
    }

    var text: String {
        let width = lines.map(\.name.count).max() ?? 0
        return lines.map { $0.name + String(repeating: " ", count: width - $0.name.count + 2) + $0.value }
            .joined(separator: "\n")
    }
}
