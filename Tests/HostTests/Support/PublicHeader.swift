import Foundation
import TestSupport

/// A public C header, reduced to the lines that a plugin is compiled against: constants with their values, types, members of
/// structs with their places, functions.
struct PublicHeader {
    private(set) var lines: [String] = []

    init(_ name: String) throws {
        var text = try String(contentsOf: Places.include.appending(path: name), encoding: .utf8)
            .replacing(/\/\*[\s\S]*?\*\//, with: "")
            .replacing(/#ifdef __cplusplus\n[^#]*#endif\n/, with: "")
        // Words for the compiler, with a value that starts with an underscore, are no constants.
        lines += text.matches(of: /#define (TASKHOST_[A-Z0-9_]+) ([^_\s].*)/).map { "\($0.1) \(Self.plain($0.2))" }
        text = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        for statement in Self.statements(text) where !statement.hasPrefix("TASKHOST_LAYOUT") { add(statement) }
    }

    private static func plain(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// What stands outside of braces, each piece with the braces that belong to it.
    private static func statements(_ text: String) -> [String] {
        var statements: [String] = []
        var current = ""
        var depth = 0
        for character in text {
            current.append(character)
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            let isFunction = character == "}" && plain(current).hasPrefix("static inline")
            guard depth == 0, character == ";" || isFunction else { continue }
            statements.append(plain(current))
            current = ""
        }
        return statements
    }

    private mutating func add(_ statement: String) {
        guard let open = statement.firstIndex(of: "{"), let close = statement.lastIndex(of: "}") else {
            lines.append(String(statement.dropLast()))
            return
        }
        let head = Self.plain(statement[..<open])
        guard head.hasSuffix("struct \(head.split(separator: " ").last ?? "")") else {
            lines.append(head)
            return
        }
        let name = Self.plain(statement[statement.index(after: close)...].dropLast())
        lines.append("\(head) \(name)".trimmingCharacters(in: .whitespaces))
        let members = statement[statement.index(after: open)..<close].split(separator: ";").map(Self.plain)
        for (place, member) in members.filter({ !$0.isEmpty }).enumerated() {
            lines.append("\(head.replacing("typedef ", with: "")) \(place) \(member)")
        }
    }
}
