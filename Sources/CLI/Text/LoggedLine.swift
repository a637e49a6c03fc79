import Control
import JSON
import TaskModel

/// One line of a run's log, as the host gives it.
struct LoggedLine {
    /// nil: an earlier version kept it, without time and stream.
    var at: Timestamp?
    var stream: String?
    var text: String
    /// Its end was printed.
    var isWhole: Bool

    init(_ document: JSONValue) {
        at = document.time("at")
        stream = document["stream"]?.string
        text = document["text"]?.string ?? ""
        isWhole = document["isWhole"]?.bool ?? true
    }

    var document: JSONOutput {
        .object([
            "at": JSONOutput(at?.iso8601), "stream": JSONOutput(stream), "text": .string(text),
            "isWhole": .bool(isWhole),
        ])
    }

    /// - Parameter times: how the time is shown that comes, with the stream, before the text; nil: the text alone.
    func text(_ times: ShownTimes?) -> String {
        guard let times else { return text }
        let stream = stream ?? "?"
        let padding = String(repeating: " ", count: max(0, Self.width - stream.utf8.count))
        return "\(at.map(times.precise) ?? "?")  \(stream)\(padding)  \(text)"
    }

    private static let width = LogStream.allCases.map(\.name.utf8.count).max() ?? 0
}
