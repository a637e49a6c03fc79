import Host
import JSON
import Manifests
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
        can start it. A client certificate and its key must match. Exit status 0 only if all are valid, else 65.
        """
    static let options: [Option] = [.manifests, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let paths = arguments.words.isEmpty ? try Places.manifests(arguments) : arguments.words
        let catalogue = Catalogue(paths, profile: .modern).strict
        let further = NetworkReach.warnings(catalogue.applications) + ClientKeys.warnings(catalogue)
        if arguments.isJSON {
            terminal.print(document(catalogue, further))
            return catalogue.hasErrors ? ExitStatus.badManifest : ExitStatus.success
        }
        guard !catalogue.hasErrors else { throw BadManifests.failure(catalogue, terminal) }
        for warning in catalogue.diagnostics + further { terminal.note("\(warning)") }
        let tasks = catalogue.applications.map(\.tasks.count).reduce(0, +)
        terminal.print("\(catalogue.applications.count) of \(catalogue.fileCount) manifests good, \(tasks) tasks")
        return ExitStatus.success
    }

    private static func document(_ catalogue: Catalogue, _ further: [Diagnostic]) -> JSONOutput {
        .object([
            "valid": .bool(!catalogue.hasErrors),
            "manifests": JSONOutput(catalogue.fileCount as Int?),
            "applications": .array(catalogue.applications.map { .string($0.definition.identifier) }),
            "unreadable": .array(catalogue.unreadable.map(JSONOutput.string)),
            "diagnostics": .array((catalogue.diagnostics + further).map(json)),
        ])
    }

    private static func json(_ diagnostic: Diagnostic) -> JSONOutput {
        .object([
            "severity": .string(diagnostic.severity.rawValue),
            "file": .string(diagnostic.file),
            "line": JSONOutput(diagnostic.position.line as Int?),
            "column": JSONOutput(diagnostic.position.column as Int?),
            "path": .string(diagnostic.path),
            "found": .string(diagnostic.found),
            "expected": .string(diagnostic.expected),
            "hint": JSONOutput(diagnostic.hint),
        ])
    }
}
