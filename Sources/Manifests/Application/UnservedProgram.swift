package import TaskModel

/// A well-known program that needs what no confined program gets, and often says nothing of that: `pg_dump | gzip` succeeds with an
/// empty file.
package struct UnservedProgram: Equatable {
    /// What the confinement keeps from all programs, or from those of some machines.
    package enum Need: String {
        case socket = "talks to a service through a Unix socket"
        case rights = "needs its set-user-ID or set-group-ID bit"
        case echo = "sends ICMP echo requests"
        case packets = "sends packets that are neither TCP nor ICMP echo requests"
        /// Before Landlock 6, under a host that is not root.
        case signals = "signals other processes"
    }

    package var name: String
    package var need: Need

    private static let needs: [String: Need] = {
        var needs: [String: Need] = [:]
        for name in [
            "logger", "systemd-cat", "systemctl", "loginctl", "journalctl", "systemd-run", "busctl", "dbus-send",
            "notify-send", "docker",
            "podman", "ssh-add", "gpg", "gpg2",
        ] {
            needs[name] = .socket
        }
        for name in databases { needs[name] = .socket }
        for name in ["su", "sudo", "runuser", "doas", "pkexec", "crontab", "at", "mail", "mailx", "sendmail"] {
            needs[name] = .rights
        }
        for name in ["ping", "ping6", "fping"] { needs[name] = .echo }
        for name in ["traceroute", "tracepath", "mtr", "arping"] { needs[name] = .packets }
        for name in ["kill", "pkill", "killall", "skill", "fuser", "start-stop-daemon"] { needs[name] = .signals }
        return needs
    }()

    /// Clients that use TCP when they are told a host.
    private static let databases: Set<String> = [
        "psql", "pg_dump", "pg_dumpall", "pg_basebackup", "vacuumdb", "mysql", "mysqldump", "mariadb", "mariadb-dump",
    ]
    private static let shells: Set<String> = ["sh", "bash", "dash", "zsh", "ksh"]
    /// Words of the shell, and programs that run the one behind them.
    private static let before: Set<String> = [
        "if", "then", "else", "elif", "do", "while", "until", "!", "exec", "command", "time", "env", "nice", "ionice",
        "nohup", "setsid",
        "timeout", "chronic", "xargs", "chrt",
    ]

    /// The first of each that the command calls, as far as its words show.
    package static func all(in command: ProgramCommand) -> [UnservedProgram] {
        guard let first = command.words.first else { return [] }
        let isShell = shells.contains(name(of: first)) && command.words.count > 2 && command.words[1].hasSuffix("c")
        let simple =
            isShell
            ? command.words[2].split { ";&|(){}\n`".contains($0) }.map {
                $0.split { $0 == " " || $0 == "\t" }.map(String.init)
            }
            : [command.words]
        var found: [UnservedProgram] = []
        for program in simple.compactMap(program) where !found.contains(program) { found.append(program) }
        return found
    }

    private static func program(of words: [String]) -> UnservedProgram? {
        let rest = words.drop { word in
            before.contains(name(of: word)) || word.hasPrefix("-") || word.contains("=") || word.first?.isNumber == true
        }
        guard let first = rest.first, let need = needs[name(of: first)] else { return nil }
        if databases.contains(name(of: first)), isRemote(rest) { return nil }
        return UnservedProgram(name: name(of: first), need: need)
    }

    /// `-h HOST`, `--host=HOST`, a URL: a path is the folder of a socket.
    private static func isRemote(_ words: ArraySlice<String>) -> Bool {
        words.indices.contains { index in
            let word = words[index]
            if word.contains("://") || word.contains("host=") { return !word.contains("host=/") }
            guard word == "-h" || word == "--host" else { return word.hasPrefix("-h") && !word.hasPrefix("-h/") }
            return words.indices.contains(index + 1) && !words[index + 1].hasPrefix("/")
        }
    }

    /// Without its folder and quotes.
    private static func name(of word: String) -> String {
        String(word.filter { $0 != "\"" && $0 != "'" }.split(separator: "/").last ?? "")
    }
}
