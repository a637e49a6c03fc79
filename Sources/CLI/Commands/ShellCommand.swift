import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// The command behind `--`, as a task.
struct ShellCommand {
    static let options: [Option] = [
        .valued("--as", "NAME", "of a command: identifier of its task (default local.PROGRAM)"),
        .valued("--wall", "TIME", "of a command: when it is killed, such as 10m; it is warned before"),
        .valued("--cpu", "TIME", "of a command: processor time that it may use"),
        .valued("--memory", "SIZE", "of a command: memory that it may use, such as 256MiB"),
        .flag("--confine", "of a command: confine it to what it may read, and --write"),
        .valued("--write", "DIR", "of a command with --confine: a folder that it may write", repeatable: true),
    ]

    /// Applications of commands: their folders belong to other users.
    private static let (application, confinedApplication) = ("local.commands", "local.confined-commands")

    let identifier: String
    /// As they were typed.
    private let words: [String]
    /// Of the program, or its bare name if there is none.
    private let path: String
    /// The shell's.
    private let folder = FileSystem.realPath(".") ?? "/"
    private let budget: Budget
    private let isConfined: Bool
    private let writable: [String]

    /// - Parameter name: of the task; nil: what `--as` says, or else the program.
    init(_ arguments: Arguments, of verb: String, named name: String? = nil) throws(Failure) {
        guard let words = arguments.command, let program = words.first, !program.isEmpty else {
            throw .usage(
                "there is no command behind --; taskhost \(verb); write it there, such as: -- tar -cf home.tar /home")
        }
        self.words = words
        path = ProgramSearch.path(of: program)
        let given = name ?? arguments.value("--as")
        let label = program.split(separator: "/").last.flatMap { Self.label(of: $0) } ?? "command"
        identifier = given.map { $0.contains(".") ? $0 : "local.\($0)" } ?? "local.\(label)"
        do throws(SyntaxFault) {
            try IdentifierSyntax.check(identifier)
        } catch {
            throw .usage("this is not an identifier; \(identifier); \(error)")
        }
        budget = try Self.budget(arguments)
        isConfined = arguments.has("--confine")
        let here = folder
        writable = arguments.all("--write").map {
            FileSystem.realPath($0) ?? ($0.hasPrefix("/") ? $0 : here + "/" + $0)
        }
        guard isConfined || writable.isEmpty else {
            throw .usage("--write is a grant of --confine; taskhost \(verb); add --confine, or leave it out")
        }
    }

    private static func label(of program: Substring) -> String? {
        let text = String(
            program.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") ? $0 : "_" })
        let ends = text.drop { $0 == "-" }.reversed().drop { $0 == "-" }.reversed()
        return ends.isEmpty ? nil : String(ends)
    }

    private static func budget(_ arguments: Arguments) throws(Failure) -> Budget {
        func time(_ option: String) throws(Failure) -> TimeSpan? {
            guard let text = arguments.value(option) else { return nil }
            guard let span = TimeSpan(parsing: text), ManifestLimits.wallClock.contains(span) else {
                throw .usage("\(option) does not take this; \(text); give a time such as 90s, 10m or 2h")
            }
            return span
        }
        var memory: ByteCount?
        if let text = arguments.value("--memory") {
            guard let size = ByteCount(parsing: text), ManifestLimits.memory.contains(size) else {
                throw .usage("--memory does not take this; \(text); give a size such as 256MiB")
            }
            memory = size
        }
        let (wall, cpu) = (try time("--wall"), try time("--cpu"))
        var budget = Budget(
            wallClock: wall ?? .unlimited, cpuTime: cpu, memory: memory ?? .unlimited, disk: .unlimited,
            grace: Budget.defaultGrace(for: wall ?? .unlimited),
            declared: [.wallClock, .cpuTime, .memory, .disk, .grace])
        budget.isMonitored = cpu != nil
        return budget
    }

    /// The name of its program as it was typed.
    var program: String { words[0] }
    /// Whether there is such a program.
    var isThere: Bool { path.contains("/") && FileSystem.allows(.execute, to: path) }

    /// What it may do with `--confine`.
    private var permissions: Permissions {
        Permissions(
            read: ["/"], write: writable, execute: ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local"])
    }

    // MARK: Now

    /// The application whose only task it is, with the shell's variables, folder, streams and umask.
    func application(_ configuration: HostConfiguration) throws(Failure) -> InstalledApplication {
        var command = ProgramCommand(
            [path] + words.dropFirst(),
            environment: ThisProcess.environment.filter { $0.contains("=") && !$0.hasPrefix("TASKHOST_") },
            workingDirectory: folder, fileModeMask: ThisProcess.fileModeMask)
        command.isOfShell = true
        let task = TaskDefinition(identifier: identifier, kind: .processing, handler: .command(command), budget: budget)
        var definition = ApplicationDefinition(
            identifier: isConfined ? Self.confinedApplication : Self.application, name: "Commands of a shell",
            tasks: [task], isolation: .run, enforcement: .bestEffort, manifestPath: "/", manifestFolder: "/")
        if isConfined {
            definition.permissions = permissions
        } else {
            definition.confinement = .unconfined
            if ThisProcess.isRoot { definition.user = "root" }
        }
        return try OwnApplication.make(definition, configuration, refusal: "the command is refused; ")
    }

    // MARK: Later

    /// A manifest that runs it in this folder, with the variables by which it finds programs and speaks.
    ///
    /// - Parameter schedule: `calendar` or `every`, with its value; nil: it runs when it is asked for.
    func manifest(schedule: (key: String, value: String)?) -> JSONOutput {
        let kept = ["PATH", "LANG", "LC_ALL"].compactMap { name in ThisProcess.variable(name).map { "\(name)=\($0)" } }
        let command = ProgramCommand([path] + words.dropFirst(), environment: kept, workingDirectory: folder)
        var budget: [JSONOutput.Member] = [
            .init(
                "wallClock", .string(self.budget.wallClock == .unlimited ? "none" : self.budget.wallClock.manifestText)),
            .init("cpuTime", .string(self.budget.cpuTime?.manifestText ?? "none")),
        ]
        budget.append(
            .init("memory", .string(self.budget.memory == .unlimited ? "none" : self.budget.memory.manifestText)))
        budget.append(.init("disk", "none"))
        var task: [JSONOutput.Member] = [
            .init("kind", "processing"), .init("handler", ImportedApplication.handler(command)),
            .init("budget", .object(budget)), .init("requires", ["anyPower": true, "idle": false]),
        ]
        if let schedule { task.append(.init("schedule", .object([.init(schedule.key, .string(schedule.value))]))) }
        var members: [JSONOutput.Member] = [.init("identifier", .string(identifier))]
        if !isConfined, ThisProcess.isRoot { members.append(.init("user", "root")) }
        members.append(.init("tasks", .object([.init(identifier, .object(task))])))
        if isConfined {
            let list = { (texts: [String]) in JSONOutput.array(texts.map(JSONOutput.string)) }
            let grants = permissions
            members.append(
                .init(
                    "permissions",
                    ["read": list(grants.read), "write": list(grants.write), "execute": list(grants.execute)]))
        } else {
            members.append(.init("confinement", .string(ConfinementLevel.unconfined.rawValue)))
        }
        members.append(.init("enforcement", "bestEffort"))
        return .object(members)
    }
}
