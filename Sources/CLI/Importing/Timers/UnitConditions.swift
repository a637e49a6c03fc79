/// Conditions and assertions of a unit (systemd.unit(5), "Conditions and Asserts"), as tests of a shell.
struct UnitConditions {
    /// A task of which one does not hold ends before its command: as a success, or as a failure for assertions.
    private(set) var lines: [String] = []
    /// Settings that a shell cannot test.
    private(set) var leftOut: [String] = []

    /// - Parameter expand: puts values in place of specifiers.
    init(
        _ unit: UnitFile, expand: (String) throws(UnitCommand.Fault) -> String
    ) throws(UnitCommand.Fault) {
        for (prefix, end) in [("Condition", "exit 0"), ("Assert", "exit 1")] {
            var alternatives: [String] = []
            var isWhole = true
            for setting in unit.settings where setting.section == "Unit" && setting.name.hasPrefix(prefix) {
                var value = setting.value[...]
                let isAlternative = value.popFirst(if: "|")
                let isNegated = value.popFirst(if: "!")
                let name = String(setting.name.dropFirst(prefix.count))
                // The manifest asks for it.
                if name == "ACPower", !isNegated, !isAlternative, prefix == "Condition", UnitFile.isOn(String(value)) {
                    continue
                }
                guard let test = Self.test(name, try expand(String(value).trimmingSpaces())) else {
                    leftOut.append(setting.name)
                    if isAlternative { isWhole = false }
                    continue
                }
                let whole = isNegated ? "! \(test)" : test
                if isAlternative { alternatives.append(whole) } else { lines.append("\(whole) || \(end)") }
            }
            // Where one of them cannot be tested, any may have held.
            if !alternatives.isEmpty, isWhole {
                lines.append("{ \(alternatives.joined(separator: " || ")); } || \(end)")
            }
            if !isWhole { leftOut.append("\(prefix)… with |") }
        }
    }

    /// nil: it is none that a shell can do.
    private static func test(_ name: String, _ value: String) -> String? {
        let path = ShellWord.path(value)
        switch name {
        case "PathExists": return "[ -e \(path) ]"
        case "PathExistsGlob":
            return "(set +f; for p in \(pattern(value)); do [ -e \"$p\" ] && exit 0; done; exit 1)"
        case "PathIsDirectory": return "[ -d \(path) ]"
        case "PathIsSymbolicLink": return "[ -L \(path) ]"
        case "PathIsMountPoint": return "mountpoint -q \(path)"
        case "PathIsReadWrite": return "[ -w \(path) ]"
        case "DirectoryNotEmpty": return "[ -n \"$(ls -A \(path) 2>/dev/null)\" ]"
        case "FileNotEmpty": return "{ [ -f \(path) ] && [ -s \(path) ]; }"
        case "FileIsExecutable": return "{ [ -f \(path) ] && [ -x \(path) ]; }"
        case "Host":
            return
                "case $(uname -n) in \(pattern(value))) ;; *) [ \"$(cat /etc/machine-id)\" = \(ShellWord.quoted(value)) ];; esac"
        case "User" where !value.hasPrefix("@"):
            let user = ShellWord.quoted(value)
            return "{ [ \"$(id -un)\" = \(user) ] || [ \"$(id -u)\" = \(user) ]; }"
        default: return nil
        }
    }

    /// A pattern of fnmatch(3) for a shell: only its wildcards are not quoted.
    private static func pattern(_ text: String) -> String {
        var parts: [String] = []
        var literal = ""
        func close() {
            if !literal.isEmpty { parts.append(ShellWord.quoted(literal)) }
            literal = ""
        }
        for character in text {
            if "*?[]".contains(character) {
                close()
                parts.append(String(character))
            } else {
                literal.append(character)
            }
        }
        close()
        return parts.joined()
    }
}

extension Substring {
    /// Takes a first character away, if it is this one.
    fileprivate mutating func popFirst(if character: Character) -> Bool {
        guard first == character else { return false }
        removeFirst()
        return true
    }
}
