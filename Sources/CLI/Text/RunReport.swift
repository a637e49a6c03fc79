import Control
import JSON
import TaskModel

/// The results of runs that a verb waited for.
enum RunReport {
    static func print(_ records: [RunRecord], _ arguments: Arguments, _ terminal: Terminal) {
        if arguments.isJSON {
            terminal.print(.object(["runs": .array(records.map(RunDocument.json))]))
            return
        }
        terminal.print(RunRows.text(records, terminal))
        for record in records { note(record, terminal) }
        for line in DegradedText.lines(records) { terminal.note("taskhost: \(line)") }
    }

    /// With several runs, the largest; that of a deferred one only when the others succeeded.
    static func exitStatus(_ records: [RunRecord]) -> Int32 {
        records.map { ($0.outcome ?? .interrupted).exitStatus }.reduce(ExitStatus.success, Outcome.exitStatus)
    }

    /// The exit status of each outcome, a line each, for the help.
    static var statuses: String {
        let outcomes = Dictionary(grouping: Outcome.allCases, by: \.exitStatus).sorted { $0.key < $1.key }
        return outcomes.map { status, outcomes in
            "\(status < 10 ? "   " : "  ")\(status)  \(outcomes.map(\.name).joined(separator: " or "))"
        }.joined(separator: "\n")
    }

    private static func note(_ record: RunRecord, _ terminal: Terminal) {
        guard record.outcome == .refused else {
            for diagnostic in record.diagnostics where CrashTrace(diagnostic: diagnostic) == nil {
                terminal.note("\(record.identifier): \(diagnostic)")
            }
            for line in CodeFrames(crashOf: record)?.lines ?? [] { terminal.note("\(record.identifier): \(line)") }
            if record.outcome == .crashed {
                terminal.note("\(record.identifier): its output: taskhost logs \(record.id)")
            } else if terminal.isInteractive, let outcome = record.outcome, outcome.exitStatus != ExitStatus.success {
                terminal.note(
                    "\(record.identifier): \(outcome.name); see taskhost show \(record.id) and taskhost logs \(record.id)"
                )
            }
            return
        }
        let causes = record.diagnostics.joined(separator: "; ")
        terminal.note("taskhost: \(record.identifier) was refused; \(causes); see taskhost show \(record.id)")
    }
}
