import JSON
import Learning
import TaskModel

/// A proposal as `taskhost learn` shows it.
struct ProposalText {
    let task: String
    let proposal: Proposal
    /// Of each line that was tried to be left out.
    var verdicts: [Proof.Verdict] = []

    var json: JSONOutput {
        let lines = proposal.lines.map { line in
            Self.json(line).adding(
                "needed",
                JSONOutput(verdicts.first { $0.line == line }?.difference))
        }
        return .object([
            "task": .string(task), "runs": .integer(Int64(proposal.runs)),
            "permissions": LearnedManifest.json(proposal), "lines": .array(lines),
            "apart": .array(proposal.apart.map(Self.json)),
            "obstacles": .array(proposal.obstacles.map(Self.json)), "calls": .array(proposal.calls.map(Self.json)),
            "unseen": .array(proposal.unseen.map(JSONOutput.string)),
            "unneeded": .array(verdicts.filter { $0.difference == nil && !$0.isIdle }.map { Self.json($0.line) }),
            "idle": .array(verdicts.filter(\.isIdle).map { Self.json($0.line) }),
        ])
    }

    private static func json(_ line: Proposal.Line) -> JSONOutput {
        .object([
            "permission": .string(line.permission.rawValue), "place": .string(line.place), "why": .string(line.why),
            "runs": .integer(Int64(line.runs)),
        ])
    }

    private static func json(_ obstacle: Proposal.Obstacle) -> JSONOutput {
        .object(["what": .string(obstacle.what), "why": .string(obstacle.why)])
    }

    func text(width: Int?) -> String {
        var parts: [String] = []
        if proposal.lines.isEmpty {
            parts.append("\(task) needs no permissions beyond those of every confined program")
        } else {
            parts.append("\(task) needs\n" + table(proposal.lines, width))
        }
        if !proposal.apart.isEmpty {
            parts.append(
                "not granted without a yes (taskhost learn --grant PLACE): the machine's own folders, homes, keys and passwords\n"
                    + table(proposal.apart, width))
        }
        if !proposal.obstacles.isEmpty {
            parts.append(
                "cannot be granted; with it the task stays at \"confinement\": \"none\"\n"
                    + table(proposal.obstacles, titles: ["WHAT", "WHY"], width))
        }
        if !proposal.calls.isEmpty {
            let calls = proposal.calls.map { "\($0.what) (\($0.why))" }.joined(separator: ", ")
            parts.append("refused to every confined program, many do without: \(calls)")
        }
        for sentence in proposal.unseen { parts.append("not seen: \(sentence)") }
        for verdict in verdicts where verdict.isIdle {
            parts.append(
                "not proved, and kept: \(verdict.line.permission.rawValue) \(verdict.line.place): the confined runs had nothing "
                    + "to change there (--before COMMAND puts that back)")
        }
        for verdict in verdicts where verdict.difference == nil && !verdict.isIdle {
            parts.append(
                "not needed, and left out: \(verdict.line.permission.rawValue) \(verdict.line.place)")
        }
        return parts.joined(separator: "\n\n")
    }

    private func table(_ lines: [Proposal.Line], _ width: Int?) -> String {
        let isProved = !verdicts.isEmpty
        var table = TextTable(
            ["PERMISSION", "PLACE", "SEEN"] + (proposal.runs > 1 ? ["RUNS"] : []) + (isProved ? ["WITHOUT IT"] : []),
            whole: ["PERMISSION", "PLACE"])
        for line in lines {
            table.add(
                [line.permission.rawValue, line.place.isEmpty ? "-" : line.place, line.why]
                    + (proposal.runs > 1 ? ["\(line.runs) of \(proposal.runs)"] : [])
                    + (isProved ? [verdicts.first { $0.line == line }?.difference ?? "-"] : []))
        }
        return table.text(width: width)
    }

    private func table(_ rows: [Proposal.Obstacle], titles: [String], _ width: Int?) -> String {
        var table = TextTable(titles, whole: ["WHAT"])
        for row in rows { table.add([row.what, row.why]) }
        return table.text(width: width)
    }
}
