/// Figures of ours beside one reference, round by round.
struct Comparison {
    /// One per round; empty when only the references were run.
    var ours: [Double]
    var reference: [Double]

    var ratios: [Double] { zip(ours, reference).map { $1 > 0 ? $0 / $1 : 0 } }
    var ratio: Double? { ours.isEmpty ? nil : ratios.median }

    /// A row whose ratio may be at most (latencies) or at least (rates) `bound`; nil: shown only.
    func row(
        _ name: String, _ title: String, unit: RowResult.Unit, beside referenceTitle: String, atMost: Double? = nil,
        atLeast: Double? = nil
    ) -> RowResult {
        var verdict = RowResult.Verdict.shown
        if let ratio {
            if let atMost { verdict = ratio <= atMost ? .met : .missed }
            if let atLeast { verdict = ratio >= atLeast ? .met : .missed }
        }
        return RowResult(
            name: name, title: title, unit: unit, ours: ours.isEmpty ? nil : ours.median,
            reference: reference.median, referenceTitle: referenceTitle, ratio: ratio, ratios: ratios,
            aim: atMost.map { "≤ \($0) ×" } ?? atLeast.map { "≥ \($0) ×" } ?? "", verdict: verdict)
    }
}
