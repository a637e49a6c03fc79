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

    /// A confined run leaves a file with less than one part of these in place of what the watched run wrote: then it wrote something
    /// else.
    private static let leastPart: UInt64 = 2

    /// - Parameter dropsLines: whether each line is tried to be left out.
    init(
        _ proposal: Proposal, on bench: LearningBench, watched: LearningBench.Trial, dropsLines: Bool,
        progress: (String) -> Void
    ) throws(Failure) {
        self.proposal = proposal
        let places = proposal.lines.filter { $0.permission == .write }.map(\.place)
        let written = EffectsSnapshot(of: places).sizes(since: watched.begin)
        progress("confined by all lines")
        let first = try bench.confine(proposal, places: places)
        let second = try bench.confine(proposal, places: places)
        for trial in [first, second] where failure == nil {
            failure = Self.failure(of: trial, watched) ?? Self.lost(written, in: trial, isPutBack: bench.putsBack)
        }
        guard failure == nil, dropsLines, !proposal.lines.isEmpty else { return }
        let comparison = RunComparison(first, second)
        for line in proposal.lines {
            progress("without \(line.permission.rawValue) \(line.place)")
            try weigh(line, comparison, places, bench)
        }
        // What the last trial left may be less than the task's work.
        progress("confined by the lines that stay")
        failure = comparison.difference(of: try bench.confine(self.proposal, places: places))
    }

    private mutating func weigh(
        _ line: Proposal.Line, _ comparison: RunComparison, _ places: [String], _ bench: LearningBench
    ) throws(Failure) {
        let rest = proposal.without(line)
        var difference = comparison.difference(of: try bench.confine(rest, places: places))
        // Contents may differ for other reasons.
        if difference != nil { difference = comparison.difference(of: try bench.confine(rest, places: places)) }
        let isIdle =
            switch line.permission {
            case .write: !comparison.hasEffects(in: line.place)
            case .attributes: !comparison.hasEffects
            case .read, .execute, .network, .sockets, .ping: false
            }
        verdicts.append(Verdict(line: line, difference: difference, isIdle: difference == nil && isIdle))
        if difference == nil, !isIdle { proposal = rest }
    }

    /// How a confined run ended otherwise than the one with all rights.
    private static func failure(of confined: LearningBench.Trial, _ watched: LearningBench.Trial) -> String? {
        guard let difference = RunComparison(watched, watched).difference(of: confined, onlyEnd: true) else {
            return nil
        }
        var reasons = confined.record.diagnostics
        if confined.record.outcome != .refused {
            reasons = reasons.filter { $0.hasPrefix("denied: ") || $0.hasPrefix("no access") }
        }
        if reasons.isEmpty { reasons = lastLines(of: confined) }
        return ([difference] + reasons).filter { !$0.isEmpty }.joined(separator: ": ")
    }

    /// What a run printed last.
    static func lastLines(of trial: LearningBench.Trial) -> [String] {
        let text = String(decoding: trial.output.suffix(400), as: UTF8.self)
        return [text.split(separator: "\n").suffix(3).joined(separator: "; ")]
    }

    /// A file that the watched run wrote, and a confined one wrote much less of, or, where it was put back, not at all.
    private static func lost(
        _ written: [String: UInt64], in confined: LearningBench.Trial, isPutBack: Bool
    ) -> String? {
        for (path, size) in written.sorted(by: { $0.key < $1.key }) where size > 0 {
            guard let mark = confined.effects.changed[path] else {
                if isPutBack { return "\(path) is not written" }
                continue
            }
            if mark.size < size / leastPart { return "\(path) has \(mark.size) bytes in place of \(size)" }
        }
        return nil
    }
}
