import JSON
import Linux
import Manifests

/// `taskhost new ID`
enum NewVerb: Verb {
    static let name = "new"
    static let summary = "create a plugin that is ready to build and run"
    static let help = """
        usage: taskhost new ID [--language c|swift | --application | --events | --template NAME] [--directory DIR]

        Creates a folder with a handler, its manifest, a Makefile and the plugin header. ID is an identifier such as
        com.example.hello, for both the application and its task. Nothing is overwritten.

        --application creates an application of Apple's BackgroundTasks framework instead, in Swift: an application
        delegate that registers two tasks, ID.refresh and ID.cleanup, and submits requests for them. --events creates an
        application without tasks, with callbacks for background fetch and remote notifications.

        --template creates a package with tests that need no daemon: ios, an application delegate as on iOS; application,
        background tasks without an interface, both in Swift with tests of the kit TaskHostTesting; command, a program
        that taskhost runs. make test runs the tests.

        exit status: 0 created · 64 usage · 73 the folder exists or cannot be written.
        """
    static let options: [Option] = [
        .valued("--language", "c|swift", "the plugin's language (default c)"),
        .flag("--application", "an application of the BackgroundTasks framework, in Swift"),
        .flag("--events", "an application without tasks, called for fetch and notifications, in Swift"),
        .valued("--template", "ios|application|command", "a package with tests"),
        .valued("--directory", "DIR", "the new folder (default: the identifier's last part)"), .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let identifier = try arguments.onlyWord(of: name, "identifier", "write something like com.example.hello")
        let shape = try shape(arguments)
        let template: PluginTemplate
        do throws(SyntaxFault) {
            template = try PluginTemplate(identifier: identifier, shape: shape)
        } catch {
            throw .usage("this is not an identifier; \(identifier); \(error)")
        }
        let folder = arguments.value("--directory") ?? template.label
        guard !folder.isEmpty else { throw .usage("--directory is empty; taskhost new; name a folder") }
        try PluginFolder.write(template, into: folder)
        // As it was typed: it need not be on the PATH.
        let program = ShellWord.quoted(CommandLine.arguments.first ?? "taskhost")
        let path = ShellWord.path(folder)
        let next =
            "make -C \(path) && \(program) run \(template.run) --manifests \(ShellWord.path(folder + "/manifests"))"
        let document: JSONOutput = [
            "identifier": .string(identifier), "directory": .string(folder),
            "files": .array(template.files.map { .string($0.path) }), "next": .string(next),
        ]
        terminal.print(
            document, or: "made \(folder) with \(template.files.count) files. Next:\n\n  \(next)", for: arguments)
        if ThisProcess.isRoot, case .command = shape,
            let closed = try? FileSystem.closedFolder(onWayTo: FileSystem.realPath(folder) ?? folder)
        {
            terminal.note(
                "note: root's workers run as users of their own, and \(closed) is closed to others; move \(folder) to a folder such "
                    + "as /srv before it runs, or open that one for passing through (chmod o+x \(closed))")
        }
        return ExitStatus.success
    }

    private static func shape(_ arguments: Arguments) throws(Failure) -> PluginTemplate.Shape {
        let language = try language(arguments)
        if let word = arguments.value("--template") { return try template(word, arguments) }
        guard arguments.has("--application") || arguments.has("--events") else { return .handler(language) }
        guard !arguments.has("--application") || !arguments.has("--events") else {
            throw .usage("--application and --events exclude each other; taskhost new; leave one out")
        }
        guard language == .swift || arguments.value("--language") == nil else {
            throw .usage("an application is written in Swift; --language \(language.rawValue); leave it out")
        }
        let place = try SwiftSDKPlace()
        return arguments.has("--events") ? .events(place) : .application(place)
    }

    private static func template(_ word: String, _ arguments: Arguments) throws(Failure) -> PluginTemplate.Shape {
        for option in ["--application", "--events"] where arguments.has(option) {
            throw .usage("--template and \(option) exclude each other; taskhost new; leave one out")
        }
        guard arguments.value("--language") == nil else {
            throw .usage("--template and --language exclude each other; taskhost new; leave one out")
        }
        switch word {
        case "ios": return .ios(try SwiftSDKPlace())
        case "application": return .plain(try SwiftSDKPlace())
        case "command": return .command
        default: throw .usage("unknown template \(word); --template; write ios, application or command")
        }
    }

    private static func language(_ arguments: Arguments) throws(Failure) -> PluginTemplate.Language {
        guard let word = arguments.value("--language") else { return .c }
        guard let language = PluginTemplate.Language(rawValue: word) else {
            let known = PluginTemplate.Language.allCases.map(\.rawValue).joined(separator: " or ")
            throw .usage("unknown language \(word); --language; write \(known)")
        }
        return language
    }
}
