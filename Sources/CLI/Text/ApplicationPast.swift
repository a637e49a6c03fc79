import Control
import JSON
import TaskModel

/// The past of one application: its runs, and the ends that hosts made of its processes, newest first.
struct ApplicationPast {
    private enum Entry {
        case run(RunRecord)
        case termination(TerminationText)
    }

    private let entries: [Entry]
    let runs: [RunRecord]
    var terminations: [Termination] {
        entries.compactMap { if case .termination(let end) = $0 { end.termination } else { nil } }
    }

    /// - Parameters:
    ///   - runs: newest first; so are `terminations`.
    ///   - limit: how many of both together at most.
    init(runs: [RunRecord], terminations: [Termination], limit: Int) {
        var entries: [Entry] = []
        var (runs, ends) = (runs[...], terminations[...])
        while entries.count < limit {
            // A run submitted before a termination may have been interrupted by it.
            if let end = ends.first, end.at >= runs.first?.submittedAt ?? end.at {
                entries.append(.termination(TerminationText(end)))
                ends = ends.dropFirst()
            } else if let run = runs.popFirst() {
                entries.append(.run(run))
            } else {
                break
            }
        }
        self.entries = entries
        self.runs = entries.compactMap { if case .run(let run) = $0 { run } else { nil } }
    }

    var isEmpty: Bool { entries.isEmpty }

    func text(_ terminal: Terminal) -> String {
        let table = RunTable.text(
            entries.map { entry in
                switch entry {
                case .run(let run): .run(run)
                case .termination(let end): .termination(end.termination)
                }
            }, terminal)
        let ends = entries.flatMap { entry -> [String] in
            guard case .termination(let end) = entry else { return [] }
            return ["", "terminated \(end.termination.at.iso8601): \(end.lines[0])"] + end.lines.dropFirst()
        }
        return ([table] + ends).joined(separator: "\n")
    }

    /// `runs` alone, and `entries` with both, each with its kind.
    var json: JSONOutput {
        .object([
            "runs": .array(runs.map(RunDocument.json)),
            "entries": .array(
                entries.map { entry in
                    switch entry {
                    case .run(let run): RunDocument.json(run).adding("kind", "run")
                    case .termination(let end): end.json.adding("kind", "termination")
                    }
                }),
        ])
    }
}
