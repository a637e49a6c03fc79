/// The settings of a systemd unit: its file and its drop-ins, in the order in which they apply (systemd.syntax(7)).
struct UnitFile {
    struct Setting: Equatable {
        var section: String
        var name: String
        var value: String
    }

    private(set) var settings: [Setting] = []

    /// Adds a file's settings behind those that are there. An empty value forgets the earlier ones of its name.
    mutating func add(_ bytes: [UInt8]) {
        var section = ""
        var open = ""
        // systemd passes over lines that are no text.
        for line in ImportedLine.lines(of: bytes) where line.isText {
            let trimmed = line.text.trimmingSpaces()
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
                if value.isEmpty { settings.removeAll { $0.section == section && Self.resets(name, $0.name) } }
                if !value.isEmpty {
                    settings.append(Setting(section: section, name: String(name), value: String(value)))
                }
            }
        }
    }

    /// Whether an empty value of one setting forgets another: that of a condition forgets them all (systemd.unit(5)).
    private static func resets(_ name: some StringProtocol, _ other: String) -> Bool {
        name == other || ["Condition", "Assert"].contains { name.hasPrefix($0) && other.hasPrefix($0) }
    }

    /// All values of a setting, in their order.
    func values(_ section: String, _ name: String) -> [String] {
        settings.filter { $0.section == section && $0.name == name }.map(\.value)
    }

    /// The value that applies; nil: none is set.
    func value(_ section: String, _ name: String) -> String? { values(section, name).last }

    func isOn(_ section: String, _ name: String) -> Bool { value(section, name).map(Self.isOn) ?? false }

    /// A boolean as systemd reads it.
    static func isOn(_ value: String) -> Bool {
        ["1", "yes", "true", "on", "y", "t"].contains(value.lowercased())
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
