import Linux
import TaskModel

/// Runs as a table for display.
enum RunRows {
    enum Row {
        case run(RunRecord)
        case termination(TerminationText)
    }

    static func text(_ runs: [RunRecord], _ terminal: Terminal) -> String { text(runs.map(Row.run), terminal) }

    static func text(_ rows: [Row], _ terminal: Terminal) -> String {
        // Most lists have nothing to say there.
        let notes = rows.map(note(on:))
        let hasNotes = notes.contains { $0 != nil }
        var table = TextTable(
            [
                "RUN", "IDENTIFIER", "OUTCOME", "REASON",
            ] + (hasNotes ? ["NOTE"] : []) + [
                "WALL", "CPU", "MEMORY", "RESULT", "SUBMITTED", "STARTED",
                "ATTEMPT", "ORIGIN",
            ],
            right: ["WALL", "CPU", "MEMORY", "RESULT", "ATTEMPT"], whole: ["RUN", "OUTCOME"], ends: ["IDENTIFIER"])
        for (row, note) in zip(rows, notes) {
            var cells = cells(row, terminal.times)
            if hasNotes { cells.insert(note ?? "-", at: 4) }
            table.add(cells)
        }
        return table.text(width: terminal.outWidth) { row, column, cell in
            column == 2 ? terminal.coloured(cell, colour(of: rows[row])) : cell
        }
    }

    private static func cells(_ row: Row, _ times: ShownTimes) -> [String] {
        switch row {
        case .run(let run):
            [
                run.id.description, run.identifier, standing(of: run), run.reason?.name ?? "-",
                run.figures.wallTime?.description ?? "-", run.figures.cpuTime?.description ?? "-",
                run.figures.peakMemory?.description ?? "-",
                result(run.figures.result), times.text(run.submittedAt), run.startedAt.map(times.text) ?? "-",
                "\(run.attempt)", run.origin?.name ?? "-",
            ]
        case .termination(let end):
            [
                "-", end.termination.application, "terminated", end.termination.reason.name, "-", "-", "-",
                end.termination.reason.codeText ?? "-", times.text(end.termination.at), "-", "-", "-",
            ]
        }
    }

    private static func note(on row: Row) -> String? {
        switch row {
        case .run(let run): note(on: run)
        case .termination: nil
        }
    }

    /// Why a run did not succeed, as far as it said so, or how it differs from others; nil: there is nothing to say.
    static func note(on run: RunRecord) -> String? {
        var parts = run.marks.differences.map(\.kind.words)
        if run.marks.wroteErrors { parts.append("wrote to standard error") }
        if run.outcome != .succeeded {
            parts.append(run.figures.signal.map { "signal \(Signal.words($0))" } ?? "")
            parts.append(run.figures.exitStatus.map { $0 == 0 ? "" : "status \($0)" } ?? "")
            parts.append(run.lastLine ?? "")
        }
        let text = parts.filter { !$0.isEmpty }.joined(separator: ": ")
        return text.isEmpty ? nil : text
    }

    private static func colour(of row: Row) -> Terminal.Colour {
        switch row {
        case .run(let run): colour(of: run.outcome)
        case .termination: .red
        }
    }

    /// The outcome, or the state of a run without one.
    static func standing(of run: RunRecord) -> String {
        run.outcome?.name ?? run.gate.map { "waiting: \($0.name)" } ?? "running"
    }

    static func colour(of outcome: Outcome?) -> Terminal.Colour {
        switch outcome?.row.tone {
        case .good: .green
        case nil, .warn, .calm: .yellow
        case .bad: .red
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
        case .fetch(let fetched): fetched.name
        }
    }
}
