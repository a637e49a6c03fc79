/// Text as a shell takes it for one word.
enum ShellWord {
    static func quoted(_ text: String) -> String {
        let plain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "._-/+:@%=,".utf8.contains(byte)
        }
        guard text.isEmpty || !plain else { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// A path that no program takes for an option.
    static func path(_ path: String) -> String { quoted(path.hasPrefix("-") ? "./" + path : path) }
}
