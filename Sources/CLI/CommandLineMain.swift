import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// The `taskhost` program: finds the verb and runs it.
package enum CommandLineMain {
    static var verbs: [any Verb.Type] {
        [
            RunVerb.self, AddVerb.self, ServeVerb.self, SubmitVerb.self, CancelVerb.self, RetryVerb.self, SkipVerb.self,
            PauseVerb.self, ResumeVerb.self,
            PendingVerb.self, DescribeVerb.self, WhyVerb.self, StatusVerb.self, DoctorVerb.self, ConfigVerb.self,
            ForecastVerb.self, CalendarVerb.self, ListVerb.self, HistoryVerb.self, ShowVerb.self, LogsVerb.self,
            TopVerb.self, UIVerb.self,
            TransfersVerb.self, FleetVerb.self,
            JournalVerb.self, BackupVerb.self, DeviceVerb.self, SimulateVerb.self, ForegroundVerb.self,
            BackgroundVerb.self,
            QuitVerb.self, NotifyVerb.self, AppVerb.self, ReloadVerb.self,
            ValidateVerb.self,
            NewVerb.self, ImportVerb.self, LearnVerb.self, BudgetVerb.self, CheckVerb.self, CompletionVerb.self,
        ]
    }

    /// - Parameter arguments: the program's name first.
    package static func run(_ arguments: [String]) -> Never {
        // The end of a reader is detected at the write.
        Signal.ignore(.SIGPIPE)
        let terminal = Terminal()
        do throws(Failure) {
            try checkText(arguments)
            let status = try dispatch(Array(arguments.dropFirst()), terminal)
            terminal.clearStatus()
            ThisProcess.exit(checkOutput(terminal, status))
        } catch {
            terminal.note("taskhost: \(error.sentence)")
            let options = arguments.prefix { $0 != "--" }
            if options.contains(Option.json.name), !terminal.hasPrinted { terminal.print(error.document) }
            ThisProcess.exit(error.status)
        }
    }

    /// Arguments that are not UTF-8 have been repaired by now: the repaired bytes must not pass for the original ones.
    private static func checkText(_ arguments: [String]) throws(Failure) {
        guard let bad = arguments.first(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else { return }
        let path = "/proc/self/cmdline"
        // The user may have typed the replacement character itself.
        guard let file = try? Descriptor.open(path, .O_RDONLY),
            let given = try? FileSystem.read(file, limit: 16 << 20, naming: path),
            given.split(separator: 0, omittingEmptySubsequences: false)
                .contains(where: { String(validating: $0, as: UTF8.self) == nil })
        else { return }
        throw .usage(
            "an argument is not UTF-8; \(JSONWriter.quoted(bad)); write it in UTF-8; bytes for a handler can come from a file, "
                + "with --payload")
    }

    /// What could not be printed must not pass for done.
    private static func checkOutput(_ terminal: Terminal, _ status: Int32) -> Int32 {
        guard let code = terminal.lostOutput else { return status }
        let cause = code == .EPIPE ? "its reader has closed it" : code == .EBADF ? "it is closed" : code.description
        terminal.note(
            "taskhost: the results could not be printed; standard output: \(cause); "
                + "send it to a file or to a program that reads it; past runs stand in taskhost history")
        return status == ExitStatus.success ? ExitStatus.inputOutput : status
    }

    private static func dispatch(_ arguments: [String], _ terminal: Terminal) throws(Failure) -> Int32 {
        guard let word = arguments.first, word != "--help", word != "-h", word != "help" else {
            if arguments.first == "help", arguments.count > 1 {
                return try dispatch([arguments[1], "--help"], terminal)
            }
            terminal.print(HelpText.overview(verbs))
            return arguments.isEmpty ? ExitStatus.usage : ExitStatus.success
        }
        if word == "--version" {
            terminal.print("taskhost \(Release.version)")
            return ExitStatus.success
        }
        if let words = AppVerb.aliases[word] {
            return try dispatch([AppVerb.name] + words + arguments.dropFirst(), terminal)
        }
        guard let verb = verbs.first(where: { $0.name == word }) else {
            let known = verbs.map { $0.name } + AppVerb.aliases.keys.sorted()
            let near = Nearest.match(for: word, among: known).map { AppVerb.meaning(of: $0) ?? $0 }
            throw .usage(
                "unknown verb \(word); command line; " + (near.map { "did you mean \($0)?" } ?? "see taskhost --help"))
        }
        let options = verb.options + [.help]
        let parsed = try Arguments(Array(arguments.dropFirst()), options: options, verb: word)
        if parsed.has("--help") {
            terminal.print(HelpText.of(verb))
            return ExitStatus.success
        }
        terminal.times.isUTC = parsed.has(Option.utc.name)
        return try verb.run(parsed, terminal)
    }
}

/// What `--help` prints.
enum HelpText {
    static func overview(_ verbs: [any Verb.Type]) -> String {
        """
        taskhost runs deferrable work: handlers in shared libraries, each in a confined process of its own,
        with a budget, a warning before it ends, and a record of its outcome.

        usage: taskhost VERB [options]

        \(columns(verbs.map { ($0.name, $0.summary) }))

        taskhost VERB --help tells more. Manifests are looked for in ./manifests, then in
        $XDG_CONFIG_HOME/taskhost/manifests, /etc/taskhost/manifests and the installation's own, unless --manifests
        names others.
        """
    }

    static func of(_ verb: any Verb.Type) -> String {
        let options = verb.options + [.help]
        return verb.help + "\n\noptions:\n"
            + columns(options.map { ($0.name + ($0.value.map { " " + $0 } ?? ""), $0.summary) })
    }

    private static func columns(_ rows: [(name: String, summary: String)]) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { "  " + $0.name.padded(to: width) + "  " + $0.summary }.joined(separator: "\n")
    }
}
