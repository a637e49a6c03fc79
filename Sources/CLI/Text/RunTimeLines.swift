import TaskModel

/// Runs on one time line, each in the pieces that the sleeps of its process and its machine left of it.
struct RunTimeLines {
    /// The default width in columns.
    static let usualWidth = 80
    /// However long the names are.
    private static let leastCells = 20

    let runs: [RunRecord]
    /// Of the runs' application.
    var terminations: [Termination] = []
    /// When the machine slept.
    var sleeps: [Range<Timestamp>] = []
    /// The end of a run in progress.
    let now: Timestamp
    private let times: ShownTimes

    init(_ runs: [RunRecord], terminations: [Termination] = [], now: Timestamp, _ times: ShownTimes) {
        (self.runs, self.terminations, self.now, self.times) = (runs, terminations, now, times)
    }

    /// Looks up when the machine slept in that time.
    mutating func findSleeps(in record: Past) throws(Failure) {
        guard let span else { return }
        sleeps = try record.sleeps(from: span.from, to: span.to)
    }

    /// From the first beginning to the last end; nil: no run has begun.
    private var span: TimeLine? {
        let begun = started
        let times = begun.flatMap { [$0.startedAt, $0.endedAt ?? now] }.compactMap(\.self) + terminations.map(\.at)
        guard let from = times.min(), let to = times.max(), !begun.isEmpty else { return nil }
        return TimeLine(from: from, to: to)
    }

    private var sleepStretches: [TimeLine.Stretch] {
        sleeps.map { TimeLine.Stretch($0.lowerBound, $0.upperBound, TimeLine.slept) }
    }

    private var started: [RunRecord] { runs.filter { $0.startedAt != nil } }

    /// A picture of one run, below a line with its beginning and its end; nil: it has not begun.
    func single(width: Int) -> [String]? {
        guard let run = started.first, let line = span else { return nil }
        let stretches = TimeLine.stretches(of: run, until: now)
        let head = "time line, \(times.precise(line.from)) to \(times.precise(line.to))"
        guard !sleeps.isEmpty else {
            let cells = max(Self.leastCells, width - 4)
            return [head, "  |\(line.row(stretches, cells: cells))|", "  " + TimeLine.legend(stretches)]
        }
        let cells = max(Self.leastCells, width - 13)
        let slept = sleepStretches.reduce(TimeSpan.zero) { $0 + ($1.to - $1.from) }
        return [
            head, "  run      |\(line.row(stretches, cells: cells))|",
            "  machine  |\(line.row(sleepStretches, cells: cells))|",
            "  \(TimeLine.legend(stretches)); \(TimeLine.slept) the machine slept \(slept)",
        ]
    }

    /// A row for each run, in their order, on the scale of all of them; nil: none has begun.
    func all(width: Int) -> [String]? {
        guard let line = span else { return nil }
        var rows = started.map { run in
            (name: run.identifier, end: RunRows.standing(of: run), TimeLine.stretches(of: run, until: now))
        }
        if let last = terminations.first {
            let marks = terminations.map { TimeLine.Stretch($0.at, $0.at, TimeLine.terminated) }
            rows.append((name: last.application, end: "terminated", marks))
        }
        if !sleeps.isEmpty { rows.append((name: "the machine", end: "slept", sleepStretches)) }
        let names = rows.map(\.name.cells).max() ?? 0
        let ends = rows.map(\.end.cells).max() ?? 0
        let cells = max(Self.leastCells, width - names - ends - 6)
        let marks = Set(rows.flatMap { $0.2.map(\.mark) })
        let legend = [
            (TimeLine.ran, "ran"), (TimeLine.stood, "stood still"), (TimeLine.terminated, "was terminated"),
            (TimeLine.slept, "slept"),
        ].filter { marks.contains($0.0) }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return ["\(times.precise(line.from)) to \(times.precise(line.to)); \(legend)"]
            + rows.map { row in
                "\(row.name.padded(to: names))  \(row.end.padded(to: ends))  |\(line.row(row.2, cells: cells))|"
            }
    }
}
