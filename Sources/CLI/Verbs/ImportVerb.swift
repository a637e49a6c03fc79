import Control
import JSON
import Linux
import Manifests

/// `taskhost import crontab [FILE]`, `taskhost import timers [UNIT…]`
enum ImportVerb: Verb {
    static let name = "import"
    static let summary = "make manifests of a crontab or of systemd's timers, and say what could not be carried over"
    static let help = """
        usage: taskhost import crontab [FILE]
               crontab -l | taskhost import
               taskhost import timers [UNIT…]
               taskhost import --unit

        Reads a crontab (FILE, - for standard input; default: what crontab -l prints) and writes a manifest whose
        programs are its commands. Every line either becomes a task or is named with the reason. Nothing runs: look at
        the manifest, then start taskhost serve, and take the lines out of the crontab. The commands have all rights of
        their user, as under cron: "confinement" says so, and "full" with "permissions" is the narrower form.

        The package's own service takes rights away from everything that it starts. --unit writes the drop-in that gives
        them back to these commands, and prints the command that puts it in force; taskhost doctor compares.

        With --user-column the lines have a user behind the five fields, as in /etc/crontab and /etc/cron.d, whose files
        are known by their place. Root gets a manifest for each of these users, whose application runs as him under a
        host that is root; for others the lines of other users are named. --dry-run prints the manifests and writes
        nothing.

        timers reads units of systemd (names, or paths of .timer files; default: the enabled timers, of the system for root
        and else of the user) with the services that they start. Root gets a manifest for each user of these services. Each
        timer becomes tasks or is named with the reason, and so is each setting that no manifest has.

        exit status: 0 every line or timer became a task · 64 usage · 65 some did not · 73 the manifest exists or cannot be
        written.
        """
    static let options: [Option] = [
        .valued("--application", "ID", "identifier of the application (default local.crontab or local.timers)"),
        .valued(
            "--directory", "DIR",
            "where the manifest goes (default: where the host that serves looks, else the user's own manifests)"),
        .flag("--user-column", "each line has a user, as in /etc/crontab"),
        .flag("--dry-run", "print the manifest instead of writing it"),
        .flag("--force", "replace a manifest that is there"),
        .flag("--try", "then run each task once, one after another, and show what came of it"),
        .flag("--unit", "also write a drop-in for the host's systemd service"),
        .state, .json,
    ]

    /// Bytes of a crontab: more than 100,000 lines as people write them.
    private static let longest = 16 << 20

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        var arguments = arguments
        if arguments.words.isEmpty, !arguments.has("--unit"), isPiped { arguments.add(words: ["crontab", "-"]) }
        guard let kind = arguments.words.first else {
            if arguments.has("--unit") {
                try UnitDropIn.offer(arguments, terminal)
                return ExitStatus.success
            }
            throw .usage("what to import is missing; taskhost import; write taskhost import crontab or timers")
        }
        if arguments.has("--try"), arguments.isJSON || arguments.has("--dry-run") {
            throw .usage(
                "--try shows a table of what ran; taskhost import; leave out --json and --dry-run, or use taskhost run --json"
            )
        }
        switch kind {
        case "crontab": return try crontab(arguments, terminal)
        case "timers": return try timers(arguments, terminal)
        default:
            throw .unknownWord(
                kind, of: name, known: ["crontab", "timers"], "write taskhost import crontab or timers")
        }
    }

    /// `crontab -l | taskhost import`: what comes from a pipe or a file can only be a crontab.
    private static var isPiped: Bool {
        guard let input = FileSystem.facts(lent: StandardStream.input.number) else { return false }
        return input.isFile || input.isPipe
    }

    private static func application(_ arguments: Arguments, else standard: String) throws(Failure) -> String {
        let application = arguments.value("--application") ?? standard
        do throws(SyntaxFault) {
            try IdentifierSyntax.check(application)
        } catch {
            throw .usage("this is not an identifier; \(application); \(error)")
        }
        return application
    }

    // MARK: Crontabs

    private static func crontab(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard arguments.words.count <= 2 else {
            throw .usage("one file is imported at a time; taskhost import; leave out \(arguments.words[2])")
        }
        let application = try application(arguments, else: "local.crontab")
        let file = arguments.words.dropFirst().first
        let isOfSystem = file.map { $0 == "/etc/crontab" || $0.hasPrefix("/etc/cron.d/") } ?? false
        let hasUserColumn = isOfSystem || arguments.has("--user-column")
        let found = CrontabImport(
            ImportedLine.lines(of: try bytes(of: file)), application: application, hasUserColumn: hasUserColumn,
            owner: ThisProcess.isRoot && hasUserColumn ? everybody : oneself, mailer: mailer)
        let manifests = found.applications.map { ($0.identifier, found.manifest(of: $0).text(.pretty)) }
        let paths = try write(manifests, arguments, terminal)
        if let paths { report(found, paths, arguments, terminal) }
        if !hasUserColumn, let user = userThatCommandsName(found) {
            terminal.note(
                "warning: commands begin with the names of users, as \(user); a system crontab is imported with --user-column"
            )
        }
        for refusal in found.refusals.prefix(mostNamed) {
            terminal.note("line \(refusal.line) is not imported: \(refusal.reason)")
        }
        if found.refusals.count > mostNamed {
            terminal.note("\(found.refusals.count - mostNamed) more lines are not imported; --json names them all")
        }
        for note in found.notes { terminal.note("note: \(note)") }
        if !found.tasks.isEmpty { try UnitDropIn.offer(arguments, terminal) }
        try tryOut(found.tasks.map(\.identifier), paths, arguments, terminal)
        return found.refusals.isEmpty ? ExitStatus.success : ExitStatus.badManifest
    }

    /// Runs the new tasks once, as `taskhost run` does, or says how.
    private static func tryOut(
        _ identifiers: [String], _ paths: [String]?, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) {
        guard let paths, !identifiers.isEmpty else { return }
        let manifests = paths.flatMap { ["--manifests", $0] }
        guard arguments.has("--try") else {
            if !arguments.isJSON, arguments.words.first == "crontab" {
                terminal.note(
                    "note: to try each of them once: taskhost run --all --concurrency 1 "
                        + manifests.map(ShellWord.quoted).joined(separator: " "))
            }
            return
        }
        let words = identifiers + manifests + ["--concurrency", "1"]
        let state = arguments.value("--state").map { ["--state", $0] } ?? []
        // What came of each is in the table; the import itself has succeeded.
        _ = try RunVerb.run(try Arguments(words + state, options: RunVerb.options, verb: RunVerb.name), terminal)
    }

    /// Refused lines that a person reads.
    private static let mostNamed = 100

    /// One of the users with whose names the commands begin, if they all do.
    private static func userThatCommandsName(_ found: CrontabImport) -> String? {
        // A system crontab has few of them.
        guard (1...16).contains(found.firstWords.count),
            found.firstWords.allSatisfy({ AccountSyntax.isName($0) && (try? Account(named: $0)) != nil })
        else { return nil }
        return found.firstWords.min()
    }

    private static var everybody: ImportOwner { .everybody { user in (try? Account(named: user))?.home } }
    private static var oneself: ImportOwner {
        if ThisProcess.isRoot { return .one("root", home: "/root") }
        // The variables may be another user's, as after setpriv(1).
        let own = Account.name(of: ThisProcess.user) ?? ThisProcess.variable("LOGNAME") ?? ThisProcess.variable("USER")
        return .one(own, home: ThisProcess.variable("HOME"))
    }

    /// A program that takes mail as sendmail(8) does.
    private static var mailer: String? {
        let path = ThisProcess.variable("TASKHOST_SENDMAIL") ?? "/usr/sbin/sendmail"
        guard let facts = try? FileSystem.followedFacts(of: path), facts.isFile, facts.mode & 0o111 != 0 else {
            return nil
        }
        return path
    }

    // MARK: Timers

    private static func timers(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        if arguments.has("--user-column") {
            throw .usage("--user-column is for crontabs; taskhost import timers; leave it out")
        }
        let application = try application(arguments, else: "local.timers")
        let folders = UnitFolders(home: ThisProcess.isRoot ? nil : ThisProcess.variable("HOME") ?? "/")
        let words = arguments.words.dropFirst()
        // A unit that is named twice is one.
        var seen: Set<String> = []
        let names = (words.isEmpty ? folders.enabledTimers() : Array(words))
            .map { $0.contains("/") || $0.hasSuffix(".timer") ? $0 : $0 + ".timer" }.filter { seen.insert($0).inserted }
        guard !names.isEmpty else {
            throw .usage("no timer is enabled; taskhost import timers; name units, or paths of .timer files")
        }
        let units = names.map { name -> (name: String, folders: UnitFolders) in
            guard let slash = name.lastIndex(of: "/") else {
                return (name, folders)
            }
            let folder = slash == name.startIndex ? "/" : String(name[..<slash])
            return (String(name[slash...].dropFirst()), UnitFolders(beside: folder, folders))
        }
        let found = TimerImport(units, application: application, owner: ThisProcess.isRoot ? everybody : oneself)
        let manifests = found.applications.map { ($0.identifier, found.manifest(of: $0).text(.pretty)) }
        let paths = try write(manifests, arguments, terminal)
        if let paths { report(found, paths, arguments, terminal) }
        for refusal in found.refusals { terminal.note("\(refusal.unit) is not imported: \(refusal.reason)") }
        for note in found.notes { terminal.note("note: \(note)") }
        if !found.tasks.isEmpty { try UnitDropIn.offer(arguments, terminal) }
        try tryOut(found.tasks.map(\.identifier), paths, arguments, terminal)
        return found.refusals.isEmpty ? ExitStatus.success : ExitStatus.badManifest
    }

    private static func report(
        _ found: TimerImport, _ paths: [String], _ arguments: Arguments, _ terminal: Terminal
    ) {
        let document: JSONOutput = [
            "manifests": .array(paths.map(JSONOutput.string)),
            "tasks": .array(
                found.tasks.map {
                    [
                        "unit": .string($0.unit), "identifier": .string($0.identifier),
                        $0.schedule.key: .string($0.schedule.value),
                    ]
                }),
            "refused": .array(found.refusals.map { ["unit": .string($0.unit), "reason": .string($0.reason)] }),
            "notes": .array(found.notes.map(JSONOutput.string)),
        ]
        var table = TextTable(["TIMER", "TASK", "SCHEDULE"], whole: ["TASK"])
        for task in found.tasks {
            table.add([
                task.unit, task.identifier, (task.schedule.key == "every" ? "every " : "") + task.schedule.value,
            ])
        }
        let head = Self.head(paths, found.tasks.count, of: "timer")
        terminal.print(
            document, or: table.isEmpty ? head : table.text(width: terminal.outWidth) + "\n\n" + head, for: arguments)
    }

    private static func head(_ paths: [String], _ count: Int, of source: String) -> String {
        paths.isEmpty
            ? "no \(source) became a task"
            : "wrote \(paths.joined(separator: ", ")) with \(count) \(count == 1 ? "task" : "tasks")"
    }

    // MARK: Files

    private static func report(
        _ found: CrontabImport, _ paths: [String], _ arguments: Arguments, _ terminal: Terminal
    ) {
        let document: JSONOutput = [
            "manifest": JSONOutput(paths.first), "manifests": .array(paths.map(JSONOutput.string)),
            "tasks": .array(
                found.tasks.map {
                    [
                        "line": .integer(Int64($0.line)), "identifier": .string($0.identifier),
                        "calendar": JSONOutput($0.calendar), "boot": .bool($0.calendar == nil),
                    ]
                }),
            "refused": .array(found.refusals.map { ["line": .integer(Int64($0.line)), "reason": .string($0.reason)] }),
            "notes": .array(found.notes.map(JSONOutput.string)),
        ]
        var table = TextTable(["LINE", "TASK", "SCHEDULE"], right: ["LINE"], whole: ["LINE", "TASK"])
        for task in found.tasks { table.add(["\(task.line)", task.identifier, task.calendar ?? "at boot"]) }
        let head = head(paths, found.tasks.count, of: "line")
        terminal.print(
            document, or: table.isEmpty ? head : table.text(width: terminal.outWidth) + "\n\n" + head, for: arguments)
    }

    /// The paths of the manifests; nil: they were only printed.
    private static func write(
        _ manifests: [(application: String, text: String)], _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> [String]? {
        guard !arguments.has("--dry-run") else {
            for (_, text) in manifests { terminal.print(text) }
            return nil
        }
        guard !manifests.isEmpty else { return [] }
        let folder = try ManifestDestination.folder(arguments, terminal)
        return try manifests.map { (manifest) throws(Failure) in
            try ManifestDestination.write(
                manifest.text, manifest.application, to: folder, replaces: arguments.has("--force"))
        }
    }

    private static func bytes(of file: String?) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            guard let file else { return try ofUser() }
            let descriptor =
                file == "-" ? try Descriptor(adopting: 0).duplicate() : try Descriptor.open(file, .O_RDONLY)
            return try FileSystem.read(descriptor, limit: longest, naming: file)
        } catch {
            throw .cannotCreate("the crontab cannot be read; \(error); name a file, or - for standard input")
        }
    }

    /// What `crontab -l` prints: the files themselves are readable for root alone.
    private static func ofUser() throws(SystemError) -> [UInt8] {
        var pipe = try DescriptorPair.pipe()
        let far = pipe.takeFar()
        let program = try ChildProcess(
            "/usr/bin/crontab", ["crontab", "-l"], environment: ThisProcess.environment, descriptors: [far.number, 2],
            from: 1)
        _ = consume far
        let bytes = try FileSystem.read(pipe.takeNear(), limit: longest, naming: "crontab -l")
        program.wait()
        return bytes
    }
}
