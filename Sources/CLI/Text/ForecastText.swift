import JSON
import TaskModel

/// A forecast's document as tables and a sentence.
struct ForecastText {
    private let document: JSONValue

    init(_ document: JSONValue) { self.document = document }

    /// When what runs, and what does not; empty without tasks.
    var tables: String {
        var parts: [String] = []
        var table = Table([("WHEN", false), ("TASK", false), ("WAITED FOR", false)])
        for run in document["runs"]?.array ?? [] {
            table.add([ListCell.text(run["at"]), ListCell.text(run["identifier"]), Self.reasons(run)])
        }
        if !table.isEmpty { parts.append(table.text()) }
        var rest = Table([("NOT BEFORE \(ListCell.text(document["until"]))", false), ("HELD BY", false)])
        for task in document["waiting"]?.array ?? [] {
            rest.add([ListCell.text(task["identifier"]), ListCell.text(task["summary"])])
        }
        if !rest.isEmpty { parts.append(rest.text()) }
        return parts.joined(separator: "\n\n")
    }

    /// That runs are missing; nil: none are.
    var cut: String? {
        guard document["complete"]?.bool == false else { return nil }
        return "only the first \(document["runs"]?.array?.count ?? 0) runs, until \(ListCell.text(document["until"]))"
    }

    /// Delays after the requested time: the longest first.
    private static func reasons(_ run: JSONValue) -> String {
        let date = time(run, "scheduledFor") ?? time(run, "earliestBeginDate")
        var spans: [String: TimeSpan] = [:]
        var order: [String] = []
        for wait in run["waits"]?.array ?? [] {
            guard let gate = wait["gate"]?.string, gate != Gate.earliestBeginDate.name, let to = time(wait, "to"),
                let from = time(wait, "from").map({ max($0, date ?? $0) }), to > from
            else { continue }
            if spans[gate] == nil { order.append(gate) }
            spans[gate, default: .zero] = spans[gate, default: .zero] + (to - from)
        }
        let words = order.map { (gate: $0, span: spans[$0] ?? .zero) }.sorted { $0.span > $1.span }
            .map { "\($0.gate) \($0.span)" }
        let omission = run["leftOut"]?.string.map { " (\($0) is left out)" } ?? ""
        let why =
            words.isEmpty
            ? run["scheduledFor"]?.string != nil ? "its time" + omission : date != nil ? "its date" : "nothing"
            : words.joined(separator: ", ")
        guard let stopped = run["stopped"]?.string, let start = time(run, "at"), let end = time(run, "until") else {
            return why
        }
        return why + "; stopped after \(end - start): \(stopped)"
    }

    private static func time(_ document: JSONValue, _ key: String) -> Timestamp? {
        document[key]?.string.flatMap { Timestamp(iso8601: $0) }
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
