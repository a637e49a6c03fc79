import Control
import JSON
import TaskModel

/// A host's termination of an application's process, with names of functions for users who may read the application's files.
struct TerminationText {
    /// Assertions without a name are called like the functions that began them.
    let termination: Termination
    private let frames: [CodeFrames]

    init(_ termination: Termination) {
        frames = termination.assertions.map { CodeFrames(of: $0, asOf: termination.at) }
        var named = termination
        for index in named.assertions.indices where named.assertions[index].name.isEmpty {
            named.assertions[index].name = frames[index].name ?? ""
        }
        self.termination = named
    }

    /// The event, and the open assertions: a line for each.
    var lines: [String] {
        let open = termination.assertions.enumerated().map { index, assertion in
            let name = assertion.name.isEmpty ? "without a name" : "\"\(JSONWriter.printable(assertion.name))\""
            return "  open: \(name), \(assertion.age)" + (frames[index].origin.map { ", begun by \($0)" } ?? "")
        }
        let rest = Int(termination.assertionCount) - open.count
        return [JSONWriter.printable(termination.words)] + open + (rest > 0 ? ["  open: \(rest) more"] : [])
    }

    var json: JSONOutput {
        TerminationDocument.json(termination) { assertion, index in
            termination.assertions.firstIndex(of: assertion).map { frames[$0].json(at: index) }
        }
    }
}
