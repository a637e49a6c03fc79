import Control
import JSON
import Manifests
import PageDoor
import Setting

/// What `taskhost validate` would say of a text if it were at its place.
struct ManifestFaults {
    let diagnostics: [Diagnostic]

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    init(_ text: [UInt8], at path: String, _ known: KnownManifests, _ accounts: AccountRules) {
        let draft = ManifestDraft(text, for: path)
        let catalogue = Catalogue(draft, among: known.places, accounts: accounts).strict
        diagnostics =
            catalogue.diagnostics + NetworkReach.warnings(catalogue.applications) + ClientKeys.warnings(catalogue)
    }

    var json: JSONOutput {
        .array(
            diagnostics.map { fault in
                .object([
                    "line": JSONOutput(fault.position.line as Int?),
                    "column": JSONOutput(fault.position.column as Int?), "path": .string(fault.path),
                    "found": .string(fault.found), "expected": .string(fault.expected),
                    "hint": JSONOutput(fault.hint), "isError": .bool(fault.severity == .error),
                    "text": .string("\(fault)"),
                ])
            })
    }

    /// The refusal of a text with errors.
    func refusal(_ path: String) -> ControlReply {
        let errors = diagnostics.filter { $0.severity == .error }
        let problem = Problem(
            422, "bad-manifest", title: "Bad manifest",
            detail: "the text has \(errors.count == 1 ? "an error" : "\(errors.count) errors"); \(path); "
                + "correct \(errors.count == 1 ? "it" : "them") first")
        return ControlReply(
            status: problem.status, contentType: "application/problem+json",
            body: problem.document.adding("faults", json).bytes())
    }
}
