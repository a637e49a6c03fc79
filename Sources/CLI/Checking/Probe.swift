import JSON

/// The result of one probe of a plugin.
struct ProbeResult {
    enum Verdict: String {
        case pass
        case fail
        /// It makes no sense for this plugin, or nothing came that far.
        case skip
    }

    /// The task that was probed; nil for the library as a whole.
    var task: String?
    var probe: String
    var verdict: Verdict
    /// A short description.
    var seen: String
    /// The last lines of the output of a run that failed.
    var printed: [String] = []

    var json: JSONOutput {
        .object([
            "task": JSONOutput(task), "probe": .string(probe), "verdict": .string(verdict.rawValue),
            "seen": .string(seen),
            "printed": .array(printed.map(JSONOutput.string)),
        ])
    }
}

/// All that was found out about a plugin, in order.
struct CheckReport {
    private(set) var results: [ProbeResult] = []

    var hasPassed: Bool { !results.contains { $0.verdict == .fail } }

    mutating func add(_ task: String?, _ probe: String, _ verdict: ProbeResult.Verdict, _ seen: String) {
        results.append(ProbeResult(task: task, probe: probe, verdict: verdict, seen: seen))
    }

    /// - Parameter printed: the last lines of the run; shown if it failed.
    mutating func add(_ task: String?, _ probe: String, _ isGood: Bool, _ seen: String, printed: [String] = []) {
        add(task, probe, isGood ? .pass : .fail, seen)
        if !isGood { results[results.count - 1].printed = printed }
    }

    /// It passes when there is no fault.
    mutating func add(
        _ task: String?, _ probe: String, _ faults: [String], else seen: String, printed: [String] = []
    ) {
        add(
            task, probe, faults.isEmpty, faults.isEmpty ? seen : faults.joined(separator: "; "), printed: printed)
    }
}
