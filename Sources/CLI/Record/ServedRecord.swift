import Control
import JSON
import Linux
import Record
import TaskModel

/// The record of a host that serves, asked over its control API.
final class ServedRecord: Past {
    private let client: any HostClient
    /// Rows that are asked for at once.
    private static let rows = 1000

    init(_ client: any HostClient) { self.client = client }

    func runs(of name: String?, limit: Int) throws(Failure) -> [RunRecord] {
        try runs(name.map { [(name: "identifier", value: $0)] } ?? [], limit: limit)
    }

    func runs(ofApplication application: String, limit: Int) throws(Failure) -> [RunRecord] {
        try runs([(name: "application", value: application)], limit: limit)
    }

    func terminations(of application: String, limit: Int) throws(Failure) -> [Termination] {
        var ends: [Termination] = []
        try forEach(.listTerminations, "terminations", [(name: "application", value: application)], limit: limit) {
            if let end = TerminationDocument.read($0) { ends.append(end) }
            return true
        }
        return ends
    }

    /// Entries of the device's log that are looked through for sleeps.
    private static let loggedAtMost = 10_000

    func sleeps(from start: Timestamp, to end: Timestamp) throws(Failure) -> [Range<Timestamp>] {
        var log: [DeviceLogEntry] = []
        try forEach(.readDeviceLog, "entries", limit: Self.loggedAtMost) { document in
            guard let at = Self.time(document, "at"), let value = document["value"]?.string,
                document["condition"]?.string == ConditionName.sleep.rawValue
            else { return true }
            if at <= end { log.append(DeviceLogEntry(at: at, condition: .sleep, value: value)) }
            return at >= start
        }
        return Self.sleeps(in: log.reversed(), from: start, to: end)
    }

    private func runs(_ query: [(name: String, value: String)], limit: Int) throws(Failure) -> [RunRecord] {
        var runs: [RunRecord] = []
        try forEach(.listRuns, "runs", query, limit: limit) { document in
            if let run = RunDocument.read(document) { runs.append(run) }
            return true
        }
        return runs
    }

    /// Goes through a list from the newest element on, page by page, until `body` returns false or `limit` is reached.
    private func forEach(
        _ route: Route, _ key: String, _ query: [(name: String, value: String)] = [], limit: Int,
        _ body: (JSONValue) -> Bool
    ) throws(Failure) {
        var left = limit
        var before: Int64?
        repeat {
            var query = query + [(name: "limit", value: "\(min(left, Self.rows))")]
            if let before { query.append((name: "before", value: "\(before)")) }
            let page = try client.document(route, query: query)
            let elements = page[key]?.array ?? []
            for element in elements { guard body(element) else { return } }
            left -= elements.count
            before = page["next"]?.integer
        } while before != nil && left > 0
    }

    func run(_ text: String) throws(Failure) -> KeptRun {
        // What is no id may be no path either.
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }), !text.isEmpty else {
            throw .usage("this is no run's id; \(text); give at least \(RunMatch.minimumLength) of its 26 characters")
        }
        let document = try client.document(.showRun, text)
        guard let record = RunDocument.read(document) else {
            throw Failure(ExitStatus.ourBug, "the host's reply is no run; \(text); check that both are of one version")
        }
        let output = document["output"]
        return KeptRun(
            record: record, kept: Int(output?["kept"]?.integer ?? 0),
            dropped: UInt64(clamping: output?["dropped"]?.integer ?? 0))
    }

    func output(of id: ULID) throws(Failure) -> [UInt8] { try client.bytes(.readLog, id.description) }

    func copy(to file: BackupFile, progress: (Int64, Int64) -> Void) throws(Failure) -> Int64 {
        let part = try file.open()
        var size: Int64 = 0
        var lost: SystemError?
        let reply = try client.download(.copyRecord) { (bytes, all) in
            do throws(SystemError) {
                try FileSystem.write(Array(bytes), to: part, naming: file.part)
                size += Int64(bytes.count)
                progress(size, all)
                return true
            } catch {
                lost = error
                return false
            }
        }
        if let lost { try file.asFailure { () throws(SystemError) in throw lost } }
        guard reply.status < 400 else { throw HostProblem.failure(reply, Route.copyRecord.pattern.description) }
        return size
    }

    private static func time(_ document: JSONValue, _ key: String) -> Timestamp? {
        document[key]?.string.flatMap { Timestamp(iso8601: $0) }
    }
}
