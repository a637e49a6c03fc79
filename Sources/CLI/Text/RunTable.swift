import TaskModel

/// Runs as a table for people.
enum RunTable {
    static func text(_ runs: [RunRecord], _ terminal: Terminal) -> String {
        var table = Table([
            ("RUN", false), ("IDENTIFIER", false), ("OUTCOME", false), ("REASON", false), ("WALL", true), ("CPU", true),
            ("MEMORY", true), ("RESULT", true), ("SUBMITTED", false),
        ])
        for run in runs {
            table.add([
                run.id.description, run.identifier, standing(of: run), run.reason?.name ?? "-",
                run.wallTime?.description ?? "-", run.cpuTime?.description ?? "-", run.peakMemory?.description ?? "-",
                result(run.result), run.submittedAt.iso8601,
            ])
        }
        return table.text { row, column, cell in
            column == 2 ? terminal.coloured(cell, colour(of: runs[row].outcome)) : cell
        }
    }

    /// The outcome, or what a run without one does.
    static func standing(of run: RunRecord) -> String {
        run.outcome?.name ?? run.gate.map { "waiting: \($0.name)" } ?? "running"
    }

    static func colour(of outcome: Outcome?) -> Terminal.Colour {
        switch outcome {
        case .succeeded: .green
        case nil, .expired, .cancelled, .interrupted, .deferred: .yellow
        default: .red
        }
    }

    static func result(_ value: ResultValue?) -> String {
        switch value {
        case nil: "-"
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let truth): "\(truth)"
        case .pointer(let isNull): isNull ? "null" : "pointer"
        }
    }
}
