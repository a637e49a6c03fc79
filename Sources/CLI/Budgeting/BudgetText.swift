import JSON
import Manifests
import Serving
import TaskModel

/// A proposal as people and programs read it.
struct BudgetText {
    let task: String
    let proposal: BudgetProposal

    func text(width: Int?) -> String {
        var table = TextTable(
            ["FIGURE", "PROPOSED", "NOW", "99 OF 100", "HALF"], right: ["PROPOSED", "NOW", "99 OF 100", "HALF"],
            whole: ["FIGURE", "PROPOSED"])
        for line in proposal.lines {
            let figure = line.figure
            table.add([
                figure.rawValue, line.manifestText, line.now.map(figure.text) ?? "none", figure.text(line.share.most),
                figure.text(line.share.median),
            ])
        }
        let count = proposal.runs.count
        var parts = [
            "\(task), from its last \(count) runs that succeeded, since \(proposal.runs[count - 1].submittedAt.iso8601)",
            table.text(width: width),
        ]
        parts += proposal.lines.flatMap(remarks)
        let budget = JSONOutput.object([.init("budget", budget)]).text(.compact)
        parts.append(String(budget.dropFirst().dropLast()))
        return parts.joined(separator: "\n")
    }

    private func remarks(_ line: BudgetProposal.Line) -> [String] {
        let figure = line.figure
        var remarks = line.outliers.map { outlier in
            "outlier, left out: \(outlier.run.id) used \(figure.text(outlier.value)) of \(figure.rawValue), and nine of ten runs "
                + "a third of that at most"
        }
        if line.ended > 0, let now = line.now {
            let runs = line.ended == 1 ? "one run" : "\(line.ended) runs"
            remarks.append(
                "\(runs) ended because of the budget (\(figure.excess.name)): twice \(figure.text(now)) is proposed, and what they "
                    + "need is not known")
        }
        return remarks
    }

    private var budget: JSONOutput {
        .object(proposal.lines.map { .init($0.figure.rawValue, .string($0.manifestText)) })
    }

    /// `manifest` follows.
    var json: JSONOutput {
        .object([
            .init("task", .string(task)), .init("runs", .integer(Int64(proposal.runs.count))),
            .init("since", .string(proposal.runs[proposal.runs.count - 1].submittedAt.iso8601)),
            .init("budget", budget),
            .init(
                "figures",
                .array(
                    proposal.lines.map { line in
                        func number(_ value: UInt64?) -> JSONOutput {
                            guard let value else { return .null }
                            return line.figure == .memory
                                ? .integer(Int64(clamping: value))
                                : JSONOutput(TimeSpan(nanoseconds: Int64(clamping: value)).seconds)
                        }
                        return .object([
                            .init("figure", .string(line.figure.rawValue)), .init("proposed", number(line.proposed)),
                            .init("now", number(line.now)), .init("p99", number(line.share.most)),
                            .init("median", number(line.share.median)),
                            .init(
                                "outliers",
                                .array(
                                    line.outliers.map {
                                        .object([
                                            .init("run", .string($0.run.id.description)),
                                            .init("value", number($0.value)),
                                        ])
                                    })),
                            .init("endedAtBudget", .integer(Int64(line.ended))),
                        ])
                    })),
        ])
    }
}

extension BudgetProposal.Line {
    /// As a manifest spells it.
    var manifestText: String {
        figure == .memory
            ? ByteCount(bytes: proposed).manifestText : TimeSpan(nanoseconds: Int64(clamping: proposed)).manifestText
    }
}
