import Control
import JSON
import Linux
import Record
import TaskModel

/// Answers questions about the past: in the host that keeps the record, and from the record's file while no host has it.
/// Long lists are answered a portion a turn. Thread: that of the reader.
final class PastAPI {
    let reader: () -> any RecordReader
    let answers: LongAnswers
    /// Made for each portion: completes a run that the record does not hold whole.
    let completing: () -> (RunRecord) -> RunRecord
    /// By the clock of the record.
    let now: () -> Timestamp

    /// Rows that are read at once.
    static let rows = 20
    /// A portion ends with the rows that reach into this.
    static let portion = TimeSpan(nanoseconds: 500_000)
    /// Characters of a run's id.
    private static let idLength = 26
    /// Delays of one answer, about: the newest.
    private static let mostWaits = 5_000
    /// Tasks of one portion, each of which takes a look at some runs.
    private static let tasks = 10

    init(
        _ reader: @escaping () -> any RecordReader, _ answers: LongAnswers,
        now: @escaping () -> Timestamp, completing: @escaping () -> (RunRecord) -> RunRecord
    ) {
        self.now = now
        self.reader = reader
        self.answers = answers
        self.completing = completing
    }

    func addRoutes(to router: Router) {
        addMeasuringRoutes(to: router)
        router.add(.listRuns) { [unowned self] (exchange) throws(Problem) in try listRuns(exchange) }
        router.add(.listLengths) { [unowned self] (exchange) throws(Problem) in try listLengths(exchange) }
        router.add(.showRun) { [unowned self] (exchange) throws(Problem) in
            let run = try run(exchange["id"])
            let size = try Self.reading(reader().outputSize(of: run.id))
            let inputs = try Self.reading(reader().inputs(of: run.id))
            exchange.reply(
                RunDocument.detailed(
                    run, kept: size.kept, dropped: size.dropped,
                    payload: run.kind == nil ? nil : inputs.payload.count,
                    settings: inputs.settings.isEmpty ? nil : String(decoding: inputs.settings, as: UTF8.self)))
        }
        router.add(.readLog) { [unowned self] (exchange) throws(Problem) in
            let run = try run(exchange["id"])
            guard let offset = exchange.query.integer("offset") else {
                return exchange.reply(text: try Self.reading(reader().output(of: run.id).bytes))
            }
            exchange.reply(try lines(of: run, from: LogPlace(number: Int64(offset))))
        }
        router.add(.readPayload) { [unowned self] (exchange) throws(Problem) in
            let run = try run(exchange["id"])
            exchange.reply(
                [try Self.reading(reader().inputs(of: run.id)).payload], contentType: "application/octet-stream")
        }
        router.add(.readJournal) { [unowned self] (exchange) throws(Problem) in
            try list(exchange, "entries") { [unowned self] (before, limit) throws(StoreError) in
                try reader().journal(before: before, limit: limit).map(JournalDocument.json)
            }
        }
        router.add(.listTerminations) { [unowned self] (exchange) throws(Problem) in
            let application = exchange.query.text("application")
            try list(exchange, "terminations") { [unowned self] (before, limit) throws(StoreError) in
                try reader().terminations(application: application, before: before, limit: limit)
                    .map { TerminationDocument.json($0) }
            }
        }
        router.add(.readDeviceLog) { [unowned self] (exchange) throws(Problem) in
            try list(exchange, "entries") { [unowned self] (before, limit) throws(StoreError) in
                try reader().deviceLog(before: before, limit: limit).map(DeviceDocument.json)
            }
        }
    }

    /// The run whose id begins like that.
    func run(_ text: String) throws(Problem) -> RunRecord {
        switch try Self.reading(reader().run(matching: text)) {
        case .found(let record): return completing()(record)
        case .missing: throw .noSuchRun(text)
        case .malformed: throw .noRunID(text, minimum: RunMatch.minimumLength)
        case .ambiguous(let candidates):
            throw .conflict(
                "several runs begin like this; \(JSONWriter.quoted(text)); give more characters: "
                    + candidates.map(\.description).joined(separator: " "))
        }
    }

    /// A record that cannot be read is our fault, or the disk's.
    static func reading<R>(_ body: @autoclosure () throws(StoreError) -> R) throws(Problem) -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .recordFailed("The record cannot be read", error)
        }
    }

    private func lines(of run: RunRecord, from place: LogPlace) throws(Problem) -> JSONOutput {
        var lines = LogLines(from: place)
        let parts = try Self.reading(reader().log(of: run.id, from: place, most: LogLines.mostBytes))
        for part in parts where !lines.isFull { lines.add(part) }
        // Late output of an ended run may still come, but who waits for it would wait for ever.
        let isOver = run.outcome != nil && lines.place == place
        return LogDocument.json(lines.lines, next: isOver ? nil : lines.place.number)
    }

    private func listRuns(_ exchange: Exchange) throws(Problem) {
        let filter = try filter(exchange.query)
        let place = try exchange.query.text("before").flatMap { (text) throws(Problem) in try self.place(before: text) }
        if let figure = exchange.query.text("sort").flatMap({ MeasuredRun.Figure(name: $0) }) {
            return try listLargest(exchange, by: figure, matching: filter, after: place)
        }
        var complete: (RunRecord) -> RunRecord = { $0 }
        try list(
            exchange, "runs", before: place, willContinue: { [unowned self] in complete = completing() },
            next: { .string($0.description) }
        ) { [unowned self] (before, limit) throws(StoreError) in
            let page = try reader().runs(matching: filter, before: before, limit: limit)
            return page.map { RunDocument.json(complete($0)) }
        }
    }

    private func filter(_ query: Exchange.Fields) throws(Problem) -> RunFilter {
        var filter = RunFilter()
        func narrow(_ rows: Set<Int64>) { filter.tasks = filter.tasks?.intersection(rows) ?? rows }
        if let name = query.text("identifier") { narrow(try Self.reading(reader().taskRows(named: name))) }
        if let name = query.text("application") { narrow(try Self.reading(reader().taskRows(ofApplication: name))) }
        if let text = query.text("q") { narrow(try Self.reading(reader().taskRows(containing: text))) }
        filter.outcomes = Set((query.texts("outcome") ?? []).compactMap { Outcome(name: $0) })
        filter.kind = query.text("kind").flatMap { TaskKind(name: $0) }
        filter.since = query.timestamp("since")
        filter.until = query.timestamp("until")
        filter.isUnlikeItself = query.bool("unlike") ?? false
        return filter
    }

    /// The run that a page's runs are older than, by its id or by the number that earlier versions gave; nil: all are.
    private func place(before text: String) throws(Problem) -> ULID? {
        if text.utf8.count < Self.idLength, let number = Int64(text), number >= 0 {
            return try Self.reading(reader().run(ofEarlierPlace: number))
        }
        guard let id = ULID(text) else { throw .noRunID(text, minimum: Self.idLength) }
        return id
    }

    /// Answers with a list that goes by numbers of rows, from where the request's `before` says.
    func list(
        _ exchange: Exchange, _ key: String,
        _ page: @escaping (_ before: Int64?, _ limit: Int) throws(StoreError) -> RowPage<JSONOutput>
    ) throws(Problem) {
        let before = exchange.query.integer("before").map(Int64.init)
        try list(exchange, key, before: before, next: { JSONOutput($0 as Int64?) }, page)
    }

    /// Answers with what `page` gives, as far as the request's limit. Rows that cannot be read are said beside the others.
    ///
    /// - Parameters:
    ///   - place: where it begins.
    ///   - willContinue: called before each portion: runs may have come and gone.
    ///   - next: the place as the answer has it.
    private func list<Place>(
        _ exchange: Exchange, _ key: String, before place: Place?, willContinue: @escaping () -> Void = {},
        next: @escaping (Place) -> JSONOutput,
        _ page: @escaping (_ before: Place?, _ limit: Int) throws(StoreError) -> Page<JSONOutput, Place>
    ) throws(Problem) {
        let limit = exchange.query.integer("limit") ?? 100
        var before = place
        var writer = ListWriter(key)
        var unreadable: [JSONOutput] = []
        try answers.begin(for: exchange) { () throws(Problem) in
            willContinue()
            let end = Clock.moment().instant + Self.portion
            repeat {
                let count = writer.count + unreadable.count
                let found = try Self.reading(page(before, min(Self.rows, limit - count)))
                for document in found.elements { writer.add(document) }
                unreadable += found.unreadable.map { .string($0.sentence) }
                before = found.next
                guard found.next != nil, writer.count + unreadable.count < limit else {
                    return .whole(
                        writer.finish([
                            .init("next", found.next.map(next) ?? .null),
                            .init("unreadable", .array(unreadable)),
                            .init("damage", JSONOutput(found.damage)),
                        ]))
                }
            } while Clock.moment().instant < end
            return .more
        }
    }

    /// Answers with what `document` makes of the delays of an identifier's runs since then, the oldest first.
    func waits(
        of identifier: String, since: Timestamp, _ exchange: Exchange, document: @escaping ([GateWait]) -> JSONOutput
    ) throws(Problem) {
        var filter = RunFilter()
        filter.tasks = try Self.reading(reader().taskRows(named: identifier))
        filter.since = since
        var before: ULID?
        var waits: [GateWait] = []
        try answers.begin(for: exchange) { [unowned self] () throws(Problem) in
            let page = try Self.reading(reader().runs(matching: filter, before: before, limit: Self.rows))
            for run in page.elements { waits += run.waits.reversed() }
            before = page.next
            guard before == nil || waits.count >= Self.mostWaits else { return .more }
            return .whole([document(waits.reversed()).bytes()])
        }
    }

    private func listLengths(_ exchange: Exchange) throws(Problem) {
        var after = exchange.query.text("after")
        var writer = ListWriter("tasks")
        try answers.begin(for: exchange) { [unowned self] () throws(Problem) in
            let identifiers = try Self.reading(reader().identifiers(after: after, limit: Self.tasks))
            for identifier in identifiers {
                guard let median = try Self.reading(reader().medianLength(of: identifier)) else { continue }
                writer.add(["identifier": .string(identifier), "median": .double(median.seconds)])
            }
            after = identifiers.last
            let isAll = identifiers.count < Self.tasks
            guard isAll || writer.count >= Int(Route.rows.upperBound) else { return .more }
            return .whole(writer.finish([.init("next", isAll ? .null : JSONOutput(after))]))
        }
    }
}

extension Problem {
    /// The record cannot be read, or copied.
    static func recordFailed(_ title: String, _ error: some Error) -> Problem {
        Problem(500, "record", title: title, detail: "\(error)")
    }
}
