import Control
import JSON
import Linux
import Record
import TaskModel

// Answers that look at the figures of many runs. They need no index: a portion of the record is read in each turn.
extension PastAPI {
    /// Rows that are read at once: about half a millisecond.
    private static let measuredRows = 500
    /// Unless the question says otherwise.
    private static let day = TimeSpan.seconds(86_400)

    func addMeasuringRoutes(to router: Router) {
        router.add(.showUsage) { [unowned self] (exchange) throws(Problem) in
            var tally = UsageTally()
            try measure(exchange, since: exchange.query.timestamp("since")) {
                tally.add($0)
            } answer: {
                [unowned self] (since) throws(StoreError) in
                let tasks = try tally.documents { (row) throws(StoreError) in try reader().taskName(row: row) }
                return ["since": .string(since.iso8601), "tasks": .array(tasks)]
            }
        }
        router.add(.listChanges) { [unowned self] (exchange) throws(Problem) in
            var changes = OutcomeChanges()
            try measure(exchange, since: exchange.query.timestamp("since")) {
                changes.add($0)
            } answer: {
                [unowned self] (since) throws(StoreError) in
                let outcomes = try changes.documents(reader())
                let definitions = try DefinitionChanges.documents(since: since, reader())
                return [
                    "since": .string(since.iso8601), "outcomes": .array(outcomes), "definitions": .array(definitions),
                ]
            }
        }
    }

    /// Answers with the runs that fit the filter, the largest first: of all of them, not of a page.
    ///
    /// - Parameter last: the run at which the page before ended; nil: from the largest on.
    func listLargest(
        _ exchange: Exchange, by figure: MeasuredRun.Figure, matching filter: RunFilter, after last: ULID?
    ) throws(Problem) {
        var largest = LargestRuns(figure, most: exchange.query.integer("limit") ?? 100)
        if let last {
            let place = try Self.reading(reader().place(of: last))
            let run = try Self.reading(reader().endedRun(at: place))
            guard let value = run?.value(of: figure) else { throw .noSuchRun(last.description) }
            largest.begin(below: value, at: place)
        }
        try scan(exchange, filter) {
            largest.add($0)
        } answer: { [unowned self] () throws(Problem) in
            let page = try Self.reading(reader().runs(at: largest.places))
            let complete = completing()
            var writer = ListWriter("runs")
            for run in page.elements { writer.add(RunDocument.json(complete(run))) }
            let next = largest.isFull ? page.elements.last?.id.description : nil
            return writer.finish([
                .init("next", JSONOutput(next)),
                .init("unreadable", .array(page.unreadable.map { .string($0.sentence) })),
                .init("damage", JSONOutput(page.damage)),
            ])
        }
    }

    private func measure(
        _ exchange: Exchange, since: Timestamp?, add: @escaping (MeasuredRun) -> Void,
        answer: @escaping (Timestamp) throws(StoreError) -> JSONOutput
    ) throws(Problem) {
        var filter = RunFilter()
        let since = since ?? now() - Self.day
        filter.since = since
        try scan(exchange, filter, add: add) { () throws(Problem) in [try Self.reading(answer(since)).bytes()] }
    }

    /// Gives `add` the runs that fit the filter, newest first, and answers then.
    private func scan(
        _ exchange: Exchange, _ filter: RunFilter, add: @escaping (MeasuredRun) -> Void,
        answer: @escaping () throws(Problem) -> [[UInt8]]
    ) throws(Problem) {
        var before: Int64?
        try answers.begin(for: exchange) { [unowned self] () throws(Problem) in
            let found = try Self.reading(
                reader().measuredRuns(matching: filter, before: before, most: Self.measuredRows))
            for run in found.runs { add(run) }
            before = found.next
            return before == nil ? .whole(try answer()) : .more
        }
    }
}
