/// The last label of an imported task's identifier: words that a person knows the command by.
enum JobName {
    /// Letters of a label at most.
    private static let longest = 40

    /// - Parameter comment: the lines of the comment right above the command, without their `#`.
    static func label(of command: String, comment: [String]) -> String {
        // More is an explanation, not a title.
        if (1...3).contains(comment.count), let title = label(ofTitle: comment[0]) { return title }
        return label(ofProgram: program(in: command))
    }

    // MARK: Comments

    /// The words of a title, in lower case and joined by hyphens; nil: it has none that an identifier could.
    private static func label(ofTitle title: String) -> String? {
        // Columns of a crontab's own head, as `# m h  dom mon dow   command`.
        let columns: Set<String> = ["m", "h", "min", "minute", "hour", "dom", "mon", "dow", "day", "month", "command"]
        let words = title.lowercased().split { !isPart($0) }
        guard words.contains(where: { $0.contains { $0.isLetter } }),
            words.filter({ columns.contains(String($0)) }).count < 4
        else { return nil }
        var label = ""
        for word in words where label.count + word.count < longest { label += (label.isEmpty ? "" : "-") + word }
        return label.isEmpty ? nil : label
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }

    // MARK: Commands

    /// Programs that run another, with the number of words before it that are no options.
    private static let wrappers = [
        "chronic": 0, "chrt": 1, "command": 0, "doas": 0, "env": 0, "exec": 0, "flock": 1, "ionice": 0, "nice": 0,
        "nohup": 0, "setsid": 0, "stdbuf": 0, "sudo": 0, "systemd-cat": 0, "time": 0, "timeout": 1,
    ]
    /// Options of these that have a word of their own behind them.
    private static let valued: Set<String> = [
        "-u", "-g", "-n", "-c", "-p", "-k", "-s", "-w", "-E", "-t", "-o", "-e", "-i",
    ]
    private static let shells: Set<String> = ["sh", "bash", "dash", "zsh", "ksh", "fish"]
    private static let interpreters: Set<String> = [
        "python", "python3", "perl", "ruby", "node", "php", "java", "Rscript",
    ]
    /// What prepares the work, or only says something.
    private static let preparing: Set<String> = [
        "[", "[[", "test", "cd", ".", "source", "export", "set", "umask", "sleep", "true", ":", "echo", "printf", "if",
        "then",
        "for", "while", "do", "done", "fi", "else", "exit", "mkdir", "date", "wait", "trap", "ulimit", "unset", "!",
    ]

    /// The program that the command is about: the first that does more than to prepare, or else the first.
    private static func program(in command: String) -> String {
        var first: String?
        for part in command.split(whereSeparator: { ";&|(){}\n`".contains($0) }) {
            guard let program = program(ofSimple: part.split { $0 == " " || $0 == "\t" }.map(String.init)) else {
                continue
            }
            if !preparing.contains(program) { return program }
            first = first ?? program
        }
        return first ?? ""
    }

    private static func program(ofSimple words: [String]) -> String? {
        var rest = words[...]
        while let word = rest.popFirst().map(unquoted) {
            let isAssignment = word.contains("=") && !word.hasPrefix("-")
            if isAssignment || word.hasPrefix(">") || word.hasPrefix("<") { continue }
            let name = String(word.split(separator: "/").last ?? "")
            if let operands = wrappers[name] {
                skip(&rest, of: name, operands: operands)
            } else if shells.contains(name) || interpreters.contains(name) {
                return script(of: name, rest)
            } else if preparing.contains(name), ["if", "then", "do", "else", "!", "while"].contains(name) {
                continue
            } else {
                return name
            }
        }
        return nil
    }

    /// Leaves the options and operands of a wrapper out.
    private static func skip(_ rest: inout ArraySlice<String>, of name: String, operands: Int) {
        while let option = rest.first, option.hasPrefix("-") {
            rest.removeFirst()
            // `nice -n 10`, `sudo -u ann`; `env -i` and `flock -n` have no word behind them.
            let isAlone = (name == "env" && option == "-i") || (name == "flock" && "nsxeo".contains(option.dropFirst()))
            if valued.contains(option), !isAlone, !rest.isEmpty { rest.removeFirst() }
        }
        rest = rest.dropFirst(operands)
        if name == "flock", rest.first == "-c" { rest.removeFirst() }
    }

    /// What an interpreter runs: its script's name, or a module's; itself when it is told the program in a word.
    private static func script(of interpreter: String, _ words: ArraySlice<String>) -> String {
        var rest = words
        while let word = rest.popFirst() {
            if word == "-m", let module = rest.first { return module }
            if word.hasPrefix("-"), word.hasSuffix("c") {
                return shells.contains(interpreter)
                    ? program(in: rest.map(unquoted).joined(separator: " ")) : interpreter
            }
            if !word.hasPrefix("-") { return String(unquoted(word).split(separator: "/").last ?? "") }
        }
        return interpreter
    }

    private static func unquoted(_ word: String) -> String { word.filter { !"'\"\\".contains($0) } }

    private static func label(ofProgram program: String) -> String {
        var name = program[...]
        for ending in [".sh", ".py", ".pl", ".rb", ".php", ".js", ".R", ".jar"] where name.hasSuffix(ending) {
            name = name.dropLast(ending.count)
        }
        let words = String(name.map { isPart($0) ? $0 : "-" }).split(separator: "-").joined(separator: "-")
        let label = words.prefix(longest).split(separator: "-").joined(separator: "-")
        return label.isEmpty ? "job" : label
    }
}
