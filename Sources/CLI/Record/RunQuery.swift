import Linux
import Record
import TaskModel

/// Which runs `history` lists: its options as the query of the control API.
struct RunQuery {
    private(set) var parameters: [(name: String, value: String)] = []
    /// The id of a run, or the beginning of one.
    let before: String?
    private var choosesByRun = false
    private var since: Timestamp?
    private var until: Timestamp?

    static let options: [Option] = [
        .valued("--outcome", "NAME", "only runs that ended like that, such as failed (repeatable)", repeatable: true),
        .valued("--kind", "KIND", "only runs of tasks of this kind, such as processing"),
        .valued("--since", "WHEN", "only runs from then on"),
        .valued("--until", "WHEN", "only runs before then"),
        .valued("--text", "TEXT", "only tasks and applications whose identifier contains this"),
        .flag("--unlike", "only runs that are unlike the last ones of their task"),
        .valued("--sort", "FIGURE", "the largest first: wallTime, cpuTime or peakMemory"),
        .valued("--before", "RUN", "only runs that are older than this one, or smaller with --sort"),
    ]

    /// It names what only runs have.
    var choosesRuns: Bool { choosesByRun || before != nil }

    init(_ arguments: Arguments, now: Timestamp) throws(Failure) {
        before = arguments.value("--before")
        let outcomes: [Outcome] = try Self.words("--outcome", arguments)
        let kinds: [TaskKind] = try Self.words("--kind", arguments)
        if !outcomes.isEmpty { choose("outcome", outcomes.map(\.name).joined(separator: ",")) }
        if let kind = kinds.first { choose("kind", kind.name) }
        if let text = arguments.value("--text") { choose("q", text) }
        if arguments.has("--unlike") { choose("unlike", "true") }
        let figures: [MeasuredRun.Figure] = try Self.words("--sort", arguments)
        if let figure = figures.first { choose("sort", figure.name) }
        since = try moment("since", arguments, now)
        until = try moment("until", arguments, now)
    }

    /// Whether something of that time is wanted.
    func contains(_ time: Timestamp) -> Bool {
        since.map { time >= $0 } ?? true && until.map { time < $0 } ?? true
    }

    private mutating func choose(_ name: String, _ value: String) {
        parameters.append((name, value))
        choosesByRun = true
    }

    private mutating func moment(
        _ name: String, _ arguments: Arguments, _ now: Timestamp
    ) throws(Failure) -> Timestamp? {
        guard let text = arguments.value("--\(name)") else { return nil }
        let moment = try When.past(text, option: "--\(name)", now: now)
        parameters.append((name, moment.iso8601))
        return moment
    }

    private static func words<Word: NamedCases>(
        _ option: String, _ arguments: Arguments
    ) throws(Failure) -> [Word] {
        try arguments.all(option).flatMap { $0.split(separator: ",").map(String.init) }.map { (text) throws(Failure) in
            guard let word = Word(name: text) else {
                throw .usage(
                    "\(option) does not take this; \(text); write one of "
                        + Word.allCases.map(\.name).joined(separator: ", "))
            }
            return word
        }
    }
}
