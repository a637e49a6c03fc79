import Control
import JSON
import Linux
import Record
import TaskModel

/// The past of a state folder, asked over the control API: of the host that serves, or of the record's file.
final class Past {
    let client: any RecordClient
    /// Rows of the lists so far that cannot be read, each as a clause.
    private(set) var unreadable: [String] = []
    /// What is wrong with pages of the record, as of the last list.
    private(set) var damage: String?
    /// How many entries of the device's log are read for sleeps, from the newest on.
    private let entries: Int
    /// How many rows one request fetches.
    private static let rows = 1000

    init(_ client: any RecordClient, entries: Int = 10_000) {
        self.client = client
        self.entries = entries
    }

    /// Runs of a task or of an application, or all, newest first.
    func runs(of name: String?, _ query: RunQuery? = nil, limit: Int) throws(Failure) -> [RunRecord] {
        try runs(query, name.map { [(name: "identifier", value: $0)] } ?? [], limit: limit)
    }

    /// Runs of an application, newest first.
    func runs(ofApplication application: String, _ query: RunQuery, limit: Int) throws(Failure) -> [RunRecord] {
        try runs(query, [(name: "application", value: application)], limit: limit)
    }

    /// The identifier that a word names: of the newest runs whose identifiers contain it, that one whose last part it is. The
    /// word itself when there is none, or when it has a dot.
    func identifier(for word: String) throws(Failure) -> String {
        guard !word.contains("."), !word.contains(":"), !word.isEmpty else { return word }
        let names = Set(try runs(nil, [(name: "q", value: word)], limit: Self.rows).map(\.identifier))
        let matches = ShortName.matches(word, among: names)
        guard matches.count < 2 else { throw ShortName.ambiguous(word, matches) }
        return matches.first ?? word
    }

    /// The ends that hosts made of an application's processes, newest first.
    func terminations(of application: String, limit: Int) throws(Failure) -> [Termination] {
        var ends: [Termination] = []
        try forEach(.listTerminations, "terminations", [(name: "application", value: application)], limit: limit) {
            if let end = TerminationDocument.read($0) { ends.append(end) }
            return true
        }
        return ends
    }

    /// When the machine slept between two moments, as far as the newest entries of the device's log know; oldest first.
    func sleeps(from start: Timestamp, to end: Timestamp) throws(Failure) -> [Range<Timestamp>] {
        var log: [(at: Timestamp, isAsleep: Bool)] = []
        try forEach(.readDeviceLog, "entries", limit: entries) { document in
            guard let at = document.time("at"), let value = document["value"]?.string,
                document["condition"]?.string == ConditionName.sleep.word
            else { return true }
            if at <= end { log.append((at, value == "on")) }
            return at >= start
        }
        return Self.sleeps(in: log.reversed(), from: start, to: end)
    }

    private func runs(
        _ query: RunQuery?, _ more: [(name: String, value: String)], limit: Int
    ) throws(Failure) -> [RunRecord] {
        var parameters = (query?.parameters ?? []) + more
        if let run = query?.before { parameters.append(("before", try self.run(run).record.id.description)) }
        var runs: [RunRecord] = []
        try forEach(.listRuns, "runs", parameters, limit: limit) { document in
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
        var before: String?
        repeat {
            var query = query + [(name: "limit", value: "\(min(left, Self.rows))")]
            if let before {
                query.removeAll { $0.name == "before" }
                query.append((name: "before", value: before))
            }
            let page = try client.document(route, query: query)
            let elements = page[key]?.array ?? []
            for element in elements { guard body(element) else { return } }
            let others = page["unreadable"]?.array?.compactMap(\.string) ?? []
            unreadable += others
            damage = page["damage"]?.string
            left -= elements.count + others.count
            // Of runs it is an id, of other lists a number.
            before = page["next"]?.string ?? page["next"]?.integer.map { "\($0)" }
        } while before != nil && left > 0
    }

    /// The run whose id begins like that.
    ///
    /// - Throws: when there is none, or are several.
    func run(_ text: String) throws(Failure) -> KeptRun {
        // A text that is not an id may be unsuitable for a path.
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }), !text.isEmpty else {
            throw .usage(
                "this is not a run's id; \(text); give at least \(RunMatch.minimumLength) of its 26 characters")
        }
        let (record, document) = try client.run(text)
        let output = document["output"]
        return KeptRun(
            record: record, kept: Int(output?["kept"]?.integer ?? 0),
            dropped: UInt64(clamping: output?["dropped"]?.integer ?? 0),
            payload: document["payload"]?.integer.map { Int($0) }, settings: document["settings"]?.string)
    }

    func output(of id: ULID) throws(Failure) -> [UInt8] { try client.bytes(.readLog, id.description) }

    /// Copies the whole record to a file that grows.
    ///
    /// - Parameter progress: bytes so far, and all.
    /// - Returns: bytes.
    func copy(to file: BackupFile, progress: (Int64, Int64) -> Void) throws(Failure) -> Int64 {
        try client.copyRecord(to: file, progress: progress)
    }

    /// The stretches in which an entry of the log says that the machine sleeps.
    ///
    /// - Parameter log: oldest first, with the last known value from before `start`.
    private static func sleeps(in log: [(at: Timestamp, isAsleep: Bool)], from start: Timestamp, to end: Timestamp)
        -> [Range<Timestamp>]
    {
        var sleeps: [Range<Timestamp>] = []
        var since: Timestamp?
        for entry in log {
            if entry.isAsleep {
                since = since ?? max(start, entry.at)
            } else if let from = since {
                if from < min(entry.at, end) { sleeps.append(from..<min(entry.at, end)) }
                since = nil
            }
        }
        if let since, since < end { sleeps.append(since..<end) }
        return sleeps
    }
}
