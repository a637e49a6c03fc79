import Control
import JSON
import TaskModel

/// A forecast's document as tables and a sentence.
struct ForecastText {
    private let document: JSONValue
    private let times: ShownTimes

    init(_ document: JSONValue, _ times: ShownTimes) { (self.document, self.times) = (document, times) }

    /// When what runs, and what does not; empty without tasks.
    ///
    /// - Parameter width: cells of the terminal; nil: there is no limit.
    func tables(width: Int?) -> String {
        var parts: [String] = []
        var table = TextTable(["WHEN", "TASK", "WAITED FOR"], whole: ["WHEN", "TASK"])
        for run in document["runs"]?.array ?? [] {
            table.add([times.cell(run["at"]), ListCell.text(run["identifier"]), reasons(run)])
        }
        if !table.isEmpty { parts.append(table.text(width: width)) }
        let title = "NOT BEFORE \(times.cell(document["until"]))"
        var rest = TextTable([title, "HELD BY"], whole: [title])
        for task in document["waiting"]?.array ?? [] {
            rest.add([ListCell.text(task["identifier"]), times.words(ListCell.text(task["summary"]))])
        }
        if !rest.isEmpty { parts.append(rest.text(width: width)) }
        return parts.joined(separator: "\n\n")
    }

    /// That runs are missing; nil: none are.
    var cut: String? {
        guard document["complete"]?.bool == false else { return nil }
        return "only the first \(document["runs"]?.array?.count ?? 0) runs, until \(times.cell(document["until"]))"
    }

    /// Delays after the requested time: the longest first.
    private func reasons(_ run: JSONValue) -> String {
        let date = run.time("scheduledFor") ?? run.time("earliestBeginDate")
        var spans: [String: TimeSpan] = [:]
        var order: [String] = []
        for wait in run["waits"]?.array ?? [] {
            guard let gate = wait["gate"]?.string, gate != Gate.earliestBeginDate.name, let to = wait.time("to"),
                let from = wait.time("from").map({ max($0, date ?? $0) }), to > from
            else { continue }
            if spans[gate] == nil { order.append(gate) }
            spans[gate, default: .zero] = spans[gate, default: .zero] + (to - from)
        }
        let words = order.map { (gate: $0, span: spans[$0] ?? .zero) }.sorted { $0.span > $1.span }
            .map { "\($0.gate) \($0.span)" }
        let omission = times.textIfAny(run["leftOut"]).map { " (\($0) is left out)" } ?? ""
        let why =
            words.isEmpty
            ? run["scheduledFor"]?.string != nil ? "its time" + omission : date != nil ? "its date" : "nothing"
            : words.joined(separator: ", ")
        guard let stopped = run["stopped"]?.string, let start = run.time("at"), let end = run.time("until") else {
            return why
        }
        return why + "; stopped after \(end - start): \(stopped)"
    }

    /// Where the conditions come from.
    ///
    /// - Parameter length: of the whole forecast.
    func conditions(over length: TimeSpan) -> String {
        let rest = "mains, an unmetered network and an idle machine"
        let set = (document["overridden"]?.object ?? []).map { "\($0.key)=\($0.value.string ?? "")" }
        let windows = document["windows"]?.array?.isEmpty == false ? "; windows are those of the configuration" : ""
        let person =
            set.isEmpty
            ? "" : "; \(set.joined(separator: " ")) stays as the user has set it (taskhost device reset ends that)"
        let covered = TimeSpan(nanoseconds: Int64(((document["covered"]?.double ?? 0) * 1e9).rounded()))
        switch document["conditions"]?.string {
        case "trace": return "the conditions are those of the trace, else \(rest)" + windows
        case "recorded" where covered >= length:
            return "the conditions are those of the time as long before now" + windows + person
        case "recorded":
            return "the conditions are those of the time as long before now, of which \(covered) of \(length) are on "
                + "record; for the rest a steady day is assumed: \(rest)" + windows + person
        default:
            return "nothing is recorded of the device: \(rest) are assumed; give a --trace for other conditions"
                + windows + person
        }
    }
}
