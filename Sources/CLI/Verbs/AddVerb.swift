import Control
import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// `taskhost add NAME [--calendar "…"] -- COMMAND…`
enum AddVerb: Verb {
    static let name = "add"
    static let summary = "write a manifest that runs a command when it is due"
    static let help = """
        usage: taskhost add NAME --calendar "30 2 * * *" -- COMMAND…
               taskhost add NAME --every 1h -- COMMAND…

        Writes a manifest with one task, NAME, whose program is the command, into the folder that the host reads which
        serves the state folder, or else into the user's own, and checks it. The command begins in this folder, and has
        all rights of its user but with --confine, and no limits but those that are given. taskhost run NAME runs it by
        hand, as its schedule does. Without --calendar and --every it runs only by hand or by taskhost submit.

        exit status: 0 written · 64 usage · 65 the manifest would not be used · 73 it exists or cannot be written.
        """
    static let options: [Option] =
        [
            .valued("--calendar", "FIELDS", "five fields of a crontab, such as \"30 2 * * *\""),
            .valued("--every", "TIME", "distance between runs, such as 15m"),
        ] + ShellCommand.options.filter { $0.name != "--as" } + [
            .valued("--directory", "DIR", "where the manifest goes"),
            .flag("--force", "replace a manifest that is there"),
            .flag("--dry-run", "print the manifest instead of writing it"),
            .state, .config, .json,
        ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let count = arguments.words.count - (arguments.command?.count ?? 0)
        guard count == 1, let name = arguments.words.first else {
            throw .usage(
                "one name is needed before --; taskhost add; write taskhost add NAME --calendar \"…\" -- COMMAND")
        }
        guard !arguments.has("--calendar") || !arguments.has("--every") else {
            throw .usage("a schedule is one of --calendar and --every; taskhost add; leave one out")
        }
        let command = try ShellCommand(arguments, of: Self.name, named: name)
        let schedule = ["--calendar", "--every"].lazy.compactMap { option in
            arguments.value(option).map { (key: String(option.dropFirst(2)), value: $0) }
        }.first
        let text = command.manifest(schedule: schedule).text(.pretty)
        guard !arguments.has("--dry-run") else {
            terminal.print(text)
            return ExitStatus.success
        }
        let rules = AccountRules(try Configuration.read(arguments, terminal))
        let folder = try ManifestDestination.folder(arguments, terminal)
        try check(text, in: folder, rules, terminal)
        let path = try ManifestDestination.write(
            text, command.identifier, to: folder, replaces: arguments.has("--force"))
        terminal.print(
            ["manifest": .string(path), "identifier": .string(command.identifier)],
            or: "wrote \(path); by hand: taskhost run \(command.identifier)", for: arguments)
        return ExitStatus.success
    }

    /// Before it is there: what the host would not use is not written.
    private static func check(
        _ text: String, in folder: String, _ rules: AccountRules, _ terminal: Terminal
    ) throws(Failure) {
        try ManifestDestination.make(folder)
        let result = ManifestDecoder.decode(
            bytes: Array(text.utf8), path: "the manifest", folder: FileSystem.realPath(folder) ?? folder,
            profile: .modern)
        var diagnostics = result.diagnostics
        if let definition = result.application {
            var inspector = LibraryInspector(definition, places: result.places, accounts: rules)
            _ = inspector.inspect()
            diagnostics += inspector.diagnostics
        }
        guard diagnostics.contains(where: { $0.severity == .error }) else { return }
        terminal.note(diagnostics)
        throw .badManifest("the manifest would not be used; \(folder); correct the faults above", diagnostics)
    }
}
