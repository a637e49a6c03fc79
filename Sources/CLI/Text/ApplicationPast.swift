import Control
import JSON
import TaskModel

/// The past of one application: its runs, and the ends that hosts made of its processes, newest first.
struct ApplicationPast {
    private let entries: [RunRows.Row]
    let runs: [RunRecord]
    var terminations: [Termination] {
        entries.compactMap { if case .termination(let end) = $0 { end.termination } else { nil } }
    }

    /// - Parameters:
    ///   - runs: newest first; so are `terminations`.
    ///   - limit: how many of both together at most.
    init(runs: [RunRecord], terminations: [Termination], limit: Int) {
        var entries: [RunRows.Row] = []
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
        let ends = entries.flatMap { entry -> [String] in
            guard case .termination(let end) = entry else { return [] }
            return ["", "terminated \(terminal.times.text(end.termination.at)): \(end.lines[0])"]
                + end.lines.dropFirst()
        }
        return ([RunRows.text(entries, terminal)] + ends).joined(separator: "\n")
    }

    /// `runs` alone, and `entries` with both: there `kind` says which it is, and `taskKind` what `kind` is in a run.
    var json: JSONOutput {
        .object([
            "runs": .array(runs.map(RunDocument.json)),
            "entries": .array(
                entries.map { entry in
                    switch entry {
                    case .run(let run):
                        RunDocument.json(run).replacing("kind", by: "run")
                            .adding("taskKind", JSONOutput(run.kind?.name))
                    case .termination(let end): end.json.adding("kind", "termination")
                    }
                }),
        ])
    }
}
