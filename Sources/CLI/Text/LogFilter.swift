import Linux
import TaskModel

/// Which lines of a log are wanted.
struct LogFilter {
    private let streams: Set<String>
    private let since: Timestamp?
    private let pattern: Regex<AnyRegexOutput>?

    static let options: [Option] = [
        .valued("--since", "WHEN", "only lines from then on"),
        .valued("--grep", "PATTERN", "only lines that match this regular expression"),
        .valued("--stream", "NAME", "only lines of stdout, stderr, log or host (repeatable)", repeatable: true),
    ]

    /// All lines are.
    var isEmpty: Bool { streams.isEmpty && since == nil && pattern == nil }

    init(_ arguments: Arguments) throws(Failure) {
        var streams: Set<String> = []
        for word in arguments.all("--stream").flatMap({ $0.split(separator: ",").map(String.init) }) {
            guard let stream = LogStream(name: word) else {
                throw .usage(
                    "--stream does not take this; \(word); write \(LogStream.allCases.map(\.name).joined(separator: ", "))"
                )
            }
            streams.insert(stream.name)
        }
        self.streams = streams
        since = try arguments.value("--since").map { (text) throws(Failure) in
            try When.past(text, option: "--since", now: Clock.moment().time)
        }
        pattern = try arguments.value("--grep").map { (text) throws(Failure) in
            guard let pattern = try? Regex(text) else {
                throw .usage(
                    "--grep does not take this; \(text); write a regular expression, with a backslash before a "
                        + "character that is only itself")
            }
            return pattern
        }
    }

    func takes(_ line: LoggedLine) -> Bool {
        if !streams.isEmpty, !streams.contains(line.stream ?? "") { return false }
        if let since {
            guard let at = line.at, at >= since else { return false }
        }
        return pattern.map { !line.text.matches(of: $0).isEmpty } ?? true
    }
}
