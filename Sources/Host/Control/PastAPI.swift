import Control
import JSON
import Record
import TaskModel

/// Answers questions about the past: in the host that keeps the record, and from the record's file while no host has it.
/// Long lists are answered a portion a turn. Thread: that of the reader.
final class PastAPI {
    private let reader: () -> any RecordReader
    private let answers: LongAnswers
    /// Made for each portion: completes a run that the record does not hold whole.
    private let completing: () -> (RunRecord) -> RunRecord

    /// Rows of one portion: about half a millisecond.
    private static let rows = 50
    /// Tasks of one portion, each of which takes a look at some runs.
    private static let tasks = 10

    init(
        _ reader: @escaping () -> any RecordReader, _ answers: LongAnswers,
        completing: @escaping () -> (RunRecord) -> RunRecord
    ) {
        self.reader = reader
        self.answers = answers
        self.completing = completing
    }

    func addRoutes(to router: Router) {
        router.add(.listRuns) { [unowned self] (exchange) throws(Problem) in try listRuns(exchange) }
        router.add(.listLengths) { [unowned self] (exchange) throws(Problem) in try listLengths(exchange) }
        router.add(.showRun) { [unowned self] (exchange) throws(Problem) in
            let run = try run(exchange["id"])
            let size = try Self.reading { () throws(StoreError) in try reader().outputSize(of: run.id) }
            exchange.reply(RunDocument.detailed(run, kept: size.kept, dropped: size.dropped))
        }
        router.add(.readLog) { [unowned self] (exchange) throws(Problem) in
            let id = try run(exchange["id"]).id
            exchange.reply(text: try Self.reading { () throws(StoreError) in try reader().output(of: id).bytes })
        }
        router.add(.readJournal) { [unowned self] (exchange) throws(Problem) in
            try list(exchange, "entries") { [unowned self] (before, limit) throws(StoreError) in
                let page = try reader().journal(before: before, limit: limit)
                return (page.elements.map(JournalDocument.json), page.next)
            }
        }
        router.add(.listTerminations) { [unowned self] (exchange) throws(Problem) in
            let application = exchange.query.text("application")
            try list(exchange, "terminations") { [unowned self] (before, limit) throws(StoreError) in
                let page = try reader().terminations(application: application, before: before, limit: limit)
                return (page.elements.map { TerminationDocument.json($0) }, page.next)
            }
        }
        router.add(.readDeviceLog) { [unowned self] (exchange) throws(Problem) in
            try list(exchange, "entries") { [unowned self] (before, limit) throws(StoreError) in
                let page = try reader().deviceLog(before: before, limit: limit)
                return (page.elements.map(DeviceDocument.json), page.next)
            }
        }
    }

    /// The run whose id begins like that.
    func run(_ text: String) throws(Problem) -> RunRecord {
        switch try Self.reading({ () throws(StoreError) in try reader().run(matching: text) }) {
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
    static func reading<R>(_ body: () throws(StoreError) -> R) throws(Problem) -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .recordFailed("The record cannot be read", error)
        }
    }

    private func listRuns(_ exchange: Exchange) throws(Problem) {
        let name = exchange.query.text("identifier")
        let application = exchange.query.text("application")
        let rows = try Self.reading { () throws(StoreError) -> Set<Int64>? in
            if let application { return try reader().taskRows(ofApplication: application) }
            return try name.map(reader().taskRows(named:))
        }
        try list(exchange, "runs") { [unowned self] (before, limit) throws(StoreError) in
            let page = try reader().runs(of: rows, before: before, limit: limit)
            let complete = completing()
            return (page.elements.map { RunDocument.json(complete($0)) }, page.next)
        }
    }

    /// Answers with what `page` gives, as far as the request's limit.
    func list(
        _ exchange: Exchange, _ key: String,
        _ page: @escaping (_ before: Int64?, _ limit: Int) throws(StoreError) -> ([JSONOutput], Int64?)
    ) throws(Problem) {
        let limit = exchange.query.integer("limit") ?? 100
        var before = exchange.query.integer("before").map(Int64.init)
        var writer = ListWriter(key)
        try answers.begin(for: exchange) { () throws(Problem) in
            let (documents, next) = try Self.reading { () throws(StoreError) in
                try page(before, min(Self.rows, limit - writer.count))
            }
            for document in documents { writer.add(document) }
            before = next
            guard next == nil || writer.count >= limit else { return .more }
            return .whole(writer.finish([.init("next", JSONOutput(next))]))
        }
    }

    private func listLengths(_ exchange: Exchange) throws(Problem) {
        var after = exchange.query.text("after")
        var writer = ListWriter("tasks")
        try answers.begin(for: exchange) { [unowned self] () throws(Problem) in
            let identifiers = try Self.reading { () throws(StoreError) in
                try reader().identifiers(after: after, limit: Self.tasks)
            }
            for identifier in identifiers {
                let median = try Self.reading { () throws(StoreError) in try reader().medianLength(of: identifier) }
                guard let median else { continue }
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
