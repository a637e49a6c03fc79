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
        router.add(.showUsage) { [unowned self] (exchange) throws(Problem) in try showUsage(exchange) }
        router.add(.listChanges) { [unowned self] (exchange) throws(Problem) in try listChanges(exchange) }
    }

    private func showUsage(_ exchange: Exchange) throws(Problem) {
        let since = since(exchange)
        var tally = UsageTally()
        try scan(exchange, Self.filter(since: since)) {
            tally.add($0)
        } answer: { [unowned self] in
            listing("tasks", of: tally.order, since) { [unowned self] (task) throws(StoreError) in
                try tally.document(of: task, reader())
            }
        }
    }

    private func listChanges(_ exchange: Exchange) throws(Problem) {
        let since = since(exchange)
        var changes = OutcomeChanges()
        var definitions = DefinitionChanges(since: since)
        try scan(exchange, Self.filter(since: since)) {
            changes.add($0)
        } answer: { [unowned self] () throws(Problem) in
            let end = Clock.moment().instant + Self.portion
            while !definitions.isComplete {
                guard Clock.moment().instant < end else { return nil }
                try Self.reading(definitions.step(reader()))
            }
            let last = JSONOutput.Member("definitions", .array(definitions.documents))
            return listing("outcomes", of: changes.order, since, last) { [unowned self] (task) throws(StoreError) in
                try changes.document(of: task, reader())
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
        } answer: { [unowned self] in
            listing(of: largest.places, isFull: largest.isFull)
        }
    }

    /// Whole runs, some of which are read at once.
    private func listing(of places: [Int64], isFull: Bool) -> LongListing {
        var (rest, rows) = (places[...], ArraySlice<RunRecord>())
        var (last, unreadable, damage) = (ULID?.none, [JSONOutput](), String?.none)
        var complete: (RunRecord) -> RunRecord = { $0 }
        return LongListing(
            "runs",
            last: {
                [
                    .init("next", isFull ? JSONOutput(last?.description) : .null),
                    .init("unreadable", .array(unreadable)), .init("damage", JSONOutput(damage)),
                ]
            }, willContinue: { [unowned self] in complete = completing() }
        ) { [unowned self] () throws(Problem) in
            while rows.isEmpty, !rest.isEmpty {
                let page = try Self.reading(reader().runs(at: rest.prefix(Self.rows)))
                rest = rest.dropFirst(Self.rows)
                rows = page.elements[...]
                unreadable += page.unreadable.map { .string($0.sentence) }
                damage = page.damage
            }
            guard let run = rows.popFirst() else { return nil }
            last = run.id
            return RunDocument.json(complete(run))
        }
    }

    /// A row for each of the tasks that `document` has something to say of.
    private func listing(
        _ name: String, of tasks: [Int64], _ since: Timestamp, _ more: JSONOutput.Member...,
        document: @escaping (Int64) throws(StoreError) -> JSONOutput?
    ) -> LongListing {
        var rest = tasks[...]
        return LongListing(name, last: { [.init("since", .string(since.iso8601))] + more }) { () throws(Problem) in
            while let task = rest.popFirst() {
                if let row = try Self.reading(document(task)) { return row }
            }
            return nil
        }
    }

    private func since(_ exchange: Exchange) -> Timestamp { exchange.query.timestamp("since") ?? now() - Self.day }

    private static func filter(since: Timestamp) -> RunFilter {
        var filter = RunFilter()
        filter.since = since
        return filter
    }

    /// Gives `add` the runs that fit the filter, newest first, then writes the listing that `answer` makes: all of it a portion a
    /// turn.
    ///
    /// - Parameter answer: nil: it has more to do first.
    private func scan(
        _ exchange: Exchange, _ filter: RunFilter, add: @escaping (MeasuredRun) -> Void,
        answer: @escaping () throws(Problem) -> LongListing?
    ) throws(Problem) {
        var before: Int64?
        var isRead = false
        var listing: LongListing?
        try answers.begin(for: exchange) { [unowned self] () throws(Problem) in
            guard isRead else {
                let found = try Self.reading(
                    reader().measuredRuns(matching: filter, before: before, most: Self.measuredRows))
                for run in found.runs { add(run) }
                before = found.next
                isRead = before == nil
                return .more
            }
            if listing == nil { listing = try answer() }
            return try listing?.write(until: Clock.moment().instant + Self.portion) ?? .more
        }
    }
}
