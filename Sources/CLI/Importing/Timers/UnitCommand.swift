import TaskModel

/// A command line of a unit (systemd.service(5), "Command lines"), for a shell.
struct UnitCommand: Equatable {
    /// The words as they are when nothing in them stands for a variable; nil: `shell` alone says it.
    var words: [String]?
    /// The command as a shell reads it, under `set -f`.
    var shell: String
    /// Its failure does not count.
    var ignoresFailure = false
    /// It has more rights than the unit's user.
    var isPrivileged = false

    struct Fault: Error, Equatable {
        var reason: String
    }

    /// The commands of a setting's value: several are separated by `;`.
    ///
    /// - Parameter specifiers: what `%x` stands for, by its letter.
    static func parse(_ text: String, specifiers: [Character: String]) throws(Fault) -> [UnitCommand] {
        var commands: [UnitCommand] = []
        for words in try split(text).split(separator: ";") {
            commands.append(try UnitCommand(Array(words), specifiers))
        }
        return commands
    }

    private init(_ raw: [String], _ specifiers: [Character: String]) throws(Fault) {
        var raw = raw
        var first = raw[0][...]
        var substitutes = true
        var namesItself = false
        while let prefix = first.first, "@-:+!".contains(prefix) {
            switch prefix {
            case "-": ignoresFailure = true
            case ":": substitutes = false
            case "@": namesItself = true
            default: isPrivileged = true
            }
            first = first.dropFirst()
        }
        raw[0] = String(first)
        // With @ the second word is the name that the program sees.
        if namesItself, raw.count > 1 { raw.remove(at: 1) }
        guard !raw[0].isEmpty else { throw Fault(reason: "a command line is empty") }
        var plain: [String]? = []
        var parts: [String] = []
        for word in raw {
            let text = try Self.expand(word, specifiers)
            if substitutes, let variable = Self.shell(of: text) {
                plain = nil
                parts.append(variable)
            } else {
                let literal = substitutes ? text.replacing("$$", with: "$") : text
                plain?.append(literal)
                parts.append(ShellWord.quoted(literal))
            }
        }
        words = plain
        shell = parts.joined(separator: " ")
    }

    /// The words, without their quotes and escapes; a `;` of its own stays one.
    private static func split(_ text: String) throws(Fault) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open { quote = nil } else { word = try (word ?? "") + taken(character, &rest) }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = try (word ?? "") + taken(character, &rest)
            }
        }
        guard quote == nil else { throw Fault(reason: "a quote is not closed: \(text)") }
        if let word { words.append(word) }
        return words
    }

    private static let escapes: [Character: String] = [
        "n": "\n", "t": "\t", "r": "\r", "s": " ", "a": "\u{7}", "b": "\u{8}", "f": "\u{C}", "v": "\u{B}", "\\": "\\",
        "\"": "\"", "'": "'", ";": ";",
    ]

    private static func taken(_ character: Character, _ rest: inout Substring) throws(Fault) -> String {
        guard character == "\\" else { return String(character) }
        guard let next = rest.popFirst() else { throw Fault(reason: "it ends with a backslash") }
        if let known = escapes[next] { return known }
        guard next == "x", let code = UInt8(rest.prefix(2), radix: 16), code < 0x80 else {
            throw Fault(reason: "the escape \\\(next) is not carried over")
        }
        rest = rest.dropFirst(2)
        return String(UnicodeScalar(code))
    }

    /// A text with values in place of its specifiers.
    static func expand(_ word: String, _ specifiers: [Character: String]) throws(Fault) -> String {
        var text = ""
        var rest = word[...]
        while let character = rest.popFirst() {
            guard character == "%", let name = rest.popFirst() else {
                text.append(character)
                continue
            }
            if name == "%" {
                text += "%"
            } else if let value = specifiers[name] {
                text += value
            } else {
                throw Fault(reason: "the specifier %\(name) is not carried over")
            }
        }
        return text
    }

    /// A word with variables, for a shell; nil: it has none. `$NAME` alone is split at spaces, `${NAME}` is not.
    private static func shell(of word: String) -> String? {
        if word.hasPrefix("$"), EnvironmentFile.isName(word.dropFirst()) { return word }
        var parts: [String] = []
        var literal = ""
        var hasVariable = false
        var rest = word[...]
        while let character = rest.popFirst() {
            if character == "$", rest.first == "$" {
                rest.removeFirst()
                literal.append("$")
            } else if character == "$", rest.first == "{", let end = rest.firstIndex(of: "}"),
                EnvironmentFile.isName(rest[..<end].dropFirst())
            {
                if !literal.isEmpty { parts.append(ShellWord.quoted(literal)) }
                literal = ""
                parts.append("\"$\(rest[..<end])}\"")
                rest = rest[end...].dropFirst()
                hasVariable = true
            } else {
                literal.append(character)
            }
        }
        if !literal.isEmpty { parts.append(ShellWord.quoted(literal)) }
        return hasVariable ? parts.joined() : nil
    }
}
