import JSON
import Manifests

extension Failure {
    /// What `--json` prints in place of a result: a problem document (RFC 9457) as the control API answers it, with the exit
    /// status. `status` is that of the API's reply, or null where the program itself found the fault.
    var document: JSONOutput {
        if let problem { return JSONOutput(problem).adding("exitStatus", JSONOutput(Int(status) as Int?)) }
        let kind = kind
        return .object([
            "type": .string("urn:taskhost:problem:\(kind.type)"), "title": .string(kind.title), "status": .null,
            "detail": .string(sentence), "errors": .array(errors.map(\.document)),
            "exitStatus": JSONOutput(Int(status) as Int?),
        ])
    }

    private var kind: (type: String, title: String) {
        switch status {
        case ExitStatus.usage: ("usage", "Bad command line")
        case ExitStatus.badManifest: ("bad-manifest", "Bad file")
        case ExitStatus.unreachable: ("unreachable", "Host not reached")
        case ExitStatus.ourBug: ("internal", "Internal error")
        case ExitStatus.cannotCreate: ("record", "State folder or file unusable")
        case ExitStatus.inputOutput: ("input-output", "Results not printed")
        default: ("fault", "Not done")
        }
    }
}

extension Diagnostic {
    /// With every key; `hint` may be null.
    var document: JSONOutput {
        .object([
            "severity": .string(severity.rawValue),
            "file": .string(file),
            "line": JSONOutput(position.line as Int?),
            "column": JSONOutput(position.column as Int?),
            "path": .string(path),
            "found": .string(found),
            "expected": .string(expected),
            "hint": JSONOutput(hint),
        ])
    }
}
