import Control
import JSON
import Record
import TaskModel

// Long lists of the record, a portion a turn.
extension HostAPI {
    /// Rows of one portion: about half a millisecond.
    private static let rows = 50
    /// Tasks of one portion, each of which takes a look at some runs.
    private static let tasks = 10

    func listRuns(_ exchange: Exchange) throws(Problem) {
        let name = exchange.query.text("identifier")
        let application = exchange.query.text("application")
        let rows = try Self.reading { () throws(StoreError) -> Set<Int64>? in
            if let application { return try host.history.taskRows(ofApplication: application) }
            return try name.map(host.history.taskRows(named:))
        }
        try list(exchange, "runs") { [unowned self] (before, limit) throws(StoreError) in
            let page = try host.history.runs(of: rows, before: before, limit: limit)
            var active = ActiveRuns(host)
            return (page.elements.map { RunDocument.json(live($0, &active)) }, page.next)
        }
    }

    func listJournal(_ exchange: Exchange) throws(Problem) {
        try list(exchange, "entries") { [unowned self] (before, limit) throws(StoreError) in
            let page = try host.history.journal(before: before, limit: limit)
            return (page.elements.map(JournalDocument.json), page.next)
        }
    }

    func listTerminations(_ exchange: Exchange) throws(Problem) {
        let application = exchange.query.text("application")
        try list(exchange, "terminations") { [unowned self] (before, limit) throws(StoreError) in
            let page = try host.history.terminations(application: application, before: before, limit: limit)
            return (page.elements.map { TerminationDocument.json($0) }, page.next)
        }
    }

    func listDeviceLog(_ exchange: Exchange) throws(Problem) {
        try list(exchange, "entries") { [unowned self] (before, limit) throws(StoreError) in
            let page = try host.history.deviceLog(before: before, limit: limit)
            return (page.elements.map(DeviceDocument.json), page.next)
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
        try longAnswers.begin(for: exchange) {
            do throws(Problem) {
                let (documents, next) = try Self.reading { () throws(StoreError) in
                    try page(before, min(Self.rows, limit - writer.count))
                }
                for document in documents { writer.add(document) }
                before = next
                guard next == nil || writer.count >= limit else { return false }
                exchange.reply(json: writer.finish([.init("next", JSONOutput(next))]))
            } catch {
                exchange.refuse(error)
            }
            return true
        }
    }

    func listLengths(_ exchange: Exchange) throws(Problem) {
        var after = exchange.query.text("after")
        var writer = ListWriter("tasks")
        try longAnswers.begin(for: exchange) { [unowned self] in
            do throws(Problem) {
                let identifiers = try Self.reading { () throws(StoreError) in
                    try host.history.identifiers(after: after, limit: Self.tasks)
                }
                for identifier in identifiers {
                    let median = try Self.reading { () throws(StoreError) in
                        try host.history.medianLength(of: identifier)
                    }
                    guard let median else { continue }
                    writer.add(["identifier": .string(identifier), "median": .double(median.seconds)])
                }
                after = identifiers.last
                let isAll = identifiers.count < Self.tasks
                guard isAll || writer.count >= Int(Route.rows.upperBound) else { return false }
                exchange.reply(json: writer.finish([.init("next", isAll ? .null : JSONOutput(after))]))
            } catch {
                exchange.refuse(error)
            }
            return true
        }
    }
}
