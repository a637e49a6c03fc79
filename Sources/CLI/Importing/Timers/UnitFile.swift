/// The settings of a systemd unit: its file and its drop-ins, in the order in which they apply (systemd.syntax(7)).
struct UnitFile {
    struct Setting: Equatable {
        var section: String
        var name: String
        var value: String
    }

    private(set) var settings: [Setting] = []

    /// Adds a file's settings behind those that are there. An empty value forgets the earlier ones of its name.
    mutating func add(_ text: String) {
        var section = ""
        var open = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingSpaces()
            // Comments may stand between the parts of a continued line.
            if trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            if trimmed.hasSuffix("\\") {
                open += trimmed.dropLast() + " "
                continue
            }
            let whole = (open + trimmed).trimmingSpaces()
            open = ""
            if whole.hasPrefix("["), whole.hasSuffix("]") {
                section = String(whole.dropFirst().dropLast())
            } else if let equals = whole.firstIndex(of: "=") {
                let name = whole[..<equals].trimmingSpaces()
                let value = whole[whole.index(after: equals)...].trimmingSpaces()
                if value.isEmpty { settings.removeAll { $0.section == section && $0.name == name } }
                if !value.isEmpty {
                    settings.append(Setting(section: section, name: String(name), value: String(value)))
                }
            }
        }
    }

    /// All values of a setting, in their order.
    func values(_ section: String, _ name: String) -> [String] {
        settings.filter { $0.section == section && $0.name == name }.map(\.value)
    }

    /// The value that applies; nil: none is set.
    func value(_ section: String, _ name: String) -> String? { values(section, name).last }

    /// A boolean as systemd reads it.
    func isOn(_ section: String, _ name: String) -> Bool {
        value(section, name).map { ["1", "yes", "true", "on", "y", "t"].contains($0.lowercased()) } ?? false
    }
}

extension StringProtocol {
    /// Without spaces and tabs at both ends.
    func trimmingSpaces() -> String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
