import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// `taskhost validate [PATH…]`
enum ValidateVerb: Verb {
    static let name = "validate"
    static let summary = "check manifests and their libraries without running them"
    static let help = """
        usage: taskhost validate [PATH…]

        Reads the manifests of the folders or files (default: where `run` looks), checks that their libraries can be
        found, trusted and loaded here and export the symbols that the manifests name, and reports all faults at once.
        No library code runs. A task whose kind is missing from "backgroundModes" is a fault here, because no request
        can start it, and so is a secret whose file is missing or must not be handed over. A client certificate and its
        key must match. A "user" must be one of this machine as whom a host of this user may run the application; the
        configuration says which may be root. Exit status 0 only if all are valid, else 65.
        """
    static let options: [Option] = [.manifests, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let paths = arguments.words.isEmpty ? try Places.manifests(arguments) : arguments.words
        let accounts = AccountRules(try Configuration.read(arguments, terminal))
        let catalogue = Catalogue(paths, profile: .modern, accounts: accounts).strict
        let further = NetworkReach.warnings(catalogue.applications) + ClientKeys.warnings(catalogue)
        if arguments.isJSON {
            terminal.print(document(catalogue, further))
            return catalogue.hasErrors ? ExitStatus.badManifest : ExitStatus.success
        }
        guard !catalogue.hasErrors else { throw BadManifests.failure(catalogue, terminal) }
        terminal.note(catalogue.diagnostics + further)
        let tasks = catalogue.applications.map(\.tasks.count).reduce(0, +)
        for application in catalogue.applications {
            guard let account = application.account else { continue }
            terminal.note("note: \(application.definition.identifier) runs as the user \(account.name)")
        }
        terminal.print("\(catalogue.applications.count) of \(catalogue.fileCount) manifests good, \(tasks) tasks")
        return ExitStatus.success
    }

    private static func document(_ catalogue: Catalogue, _ further: [Diagnostic]) -> JSONOutput {
        .object([
            "valid": .bool(!catalogue.hasErrors),
            "manifests": JSONOutput(catalogue.fileCount as Int?),
            "applications": .array(catalogue.applications.map { .string($0.definition.identifier) }),
            "users": .object(
                catalogue.applications.compactMap { application in
                    application.account.map { JSONOutput.Member(application.definition.identifier, .string($0.name)) }
                }),
            "unreadable": .array(catalogue.unreadable.map(JSONOutput.string)),
            "diagnostics": .array((catalogue.diagnostics + further).map(\.document)),
        ])
    }
}
