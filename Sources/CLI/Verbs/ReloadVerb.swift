import Control
import JSON
import Manifests

/// `taskhost reload`
enum ReloadVerb: Verb {
    static let name = "reload"
    static let summary = "let the host read its manifests again"
    static let help = """
        usage: taskhost reload

        The host reads its manifests again, which it also does by itself when one changes. Requests and runs stay; what
        is wrong with a manifest is reported, and its last good form stays in use.

        exit status: 0 all are good, which warnings do not change · 65 a manifest is bad
        """
    static let options: [Option] = [.state, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        let document = try HostAccess.open(arguments).document(.reload)
        let diagnostics = document["diagnostics"]?.array?.compactMap(\.string) ?? []
        if arguments.isJSON {
            terminal.print(JSONOutput(document))
        } else {
            for diagnostic in diagnostics { terminal.note(diagnostic) }
            let count = document["loaded"]?.integer ?? 0
            terminal.print("\(count) \(count == 1 ? "application" : "applications") loaded")
        }
        return diagnostics.allSatisfy(Diagnostic.isWarning) ? ExitStatus.success : ExitStatus.badManifest
    }
}
