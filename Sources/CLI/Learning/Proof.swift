import Learning
import TaskModel

/// Runs a task confined by a proposal, and shows that it does the same, and that it needs each line.
struct Proof {
    /// A line, and what a run without it showed.
    struct Verdict {
        var line: Proposal.Line
        /// How the run differs; nil: it does not.
        var difference: String?
        /// Without it nothing was different, but nothing was written there with it either: it stays.
        var isIdle = false
    }

    private(set) var proposal: Proposal
    private(set) var verdicts: [Verdict] = []
    /// Why the confined runs are not what the watched one was; nil: they are.
    private(set) var failure: String?

    /// How often it runs the task.
    static func runs(_ proposal: Proposal, dropsLines: Bool) -> Int { 2 + (dropsLines ? proposal.lines.count : 0) }

    /// - Parameter dropsLines: whether each line is tried to be left out.
    init(
        _ proposal: Proposal, on bench: LearningBench, watched: LearningBench.Trial, dropsLines: Bool,
        progress: (String) -> Void
    ) throws(Failure) {
        self.proposal = proposal
        let places = proposal.lines.filter { $0.permission == .write }.map(\.place)
        progress("confined by all lines")
        let first = try bench.confine(proposal, places: places)
        let second = try bench.confine(proposal, places: places)
        failure = Self.failure(of: first, watched) ?? Self.failure(of: second, watched)
        guard failure == nil, dropsLines else { return }
        let comparison = RunComparison(first, second)
        for line in proposal.lines {
            progress("without \(line.permission.rawValue) \(line.place)")
            let trial = try bench.confine(self.proposal.without(line), places: places)
            let difference = comparison.difference(of: trial)
            let isIdle = line.permission == .write && !comparison.hasEffects(in: line.place)
            verdicts.append(Verdict(line: line, difference: difference, isIdle: difference == nil && isIdle))
            if difference == nil, !isIdle { self.proposal = self.proposal.without(line) }
        }
    }

    /// How a confined run differs from the one with all rights.
    private static func failure(of confined: LearningBench.Trial, _ watched: LearningBench.Trial) -> String? {
        if let difference = RunComparison(watched, watched).difference(of: confined, onlyEnd: true) {
            let reasons = confined.record.diagnostics.filter { $0.hasPrefix("denied: ") || $0.hasPrefix("no access") }
            let printed = String(decoding: confined.output.suffix(400), as: UTF8.self)
                .split(separator: "\n").suffix(3).joined(separator: "; ")
            return ([difference] + (reasons.isEmpty ? [printed] : reasons)).filter { !$0.isEmpty }.joined(
                separator: ": ")
        }
        return nil
    }
}
