import Control
import JSON
import Manifests

/// `taskhost reload`
enum ReloadVerb: Verb {
    static let name = "reload"
    static let summary = "make the host reread its manifests"
    static let help = """
        usage: taskhost reload

        The host rereads its manifests, which it also does when one changes. Requests and runs stay. The host reports
        the faults of a bad manifest and keeps using its last valid version.

        exit status: 0 all are valid, with or without warnings · 65 a manifest is bad
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
