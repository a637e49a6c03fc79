import Linux
import TaskModel

/// Whether a run behaves well, with a short description.
struct Judgement {
    let isGood: Bool
    let words: String

    /// - Parameter mayLackHandler: completing as failed without an expiration handler is not a fault.
    init(_ run: RunRecord, mayLackHandler: Bool = false) {
        let outcome = run.outcome ?? .interrupted
        var words = outcome.name + (run.figures.wallTime.map { " in \($0)" } ?? "")
        switch outcome {
        case .succeeded, .expired, .deferred: isGood = true
        case .failed:
            // Its own report of failure is not a fault.
            isGood = mayLackHandler || !run.diagnostics.contains(where: DiagnosticCode.isAboutLackOfHandler)
            if !isGood { words += ": it neither set an expiration handler nor asked whether to stop" }
        case .overran:
            isGood = false
            words += ": it did not stop when it was warned, and was killed"
        default:
            isGood = false
            if let signal = run.figures.signal { words += ", signal \(Signal.words(signal))" }
            if let status = run.figures.exitStatus { words += ", status \(status)" }
            if !run.diagnostics.isEmpty { words += ": " + Self.notes(run) }
        }
        self.words = words
    }

    static func notes(_ run: RunRecord) -> String {
        run.diagnostics.isEmpty ? run.outcome?.name ?? "no outcome" : run.diagnostics.joined(separator: "; ")
    }
}
