import Control
import JSON
import Linux
import Record
import Scheduling
import TaskModel

/// The record of a host that serves, asked over its control API.
final class ServedRecord: Past {
    private let client: any HostClient
    /// Rows that are asked for at once.
    private static let rows = 1000
    /// How long the newest runs of each task took, once asked for.
    private var lengths: [String: TimeSpan]?

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

    func last(_ identifier: String) throws(Failure) -> RunRecord? {
        try runs(of: identifier, limit: 1).first.flatMap { $0.identifier == identifier ? $0 : nil }
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

    // MARK: For forecasts

    func pending() throws(Failure) -> [StoredRequest] {
        let documents = try client.document(.listRequests)["requests"]?.array ?? []
        return documents.enumerated().compactMap { Self.request($1, identity: Int64($0 + 1)) }
    }

    /// - Parameter identity: any that is no other request's.
    private static func request(_ document: JSONValue, identity: Int64) -> StoredRequest? {
        guard let identifier = document["identifier"]?.string, let application = document["application"]?.string,
            let kind = document["kind"]?.string.flatMap({ TaskKind(name: $0) }),
            let submitted = time(document, "submittedAt")
        else { return nil }
        var terms = RequestTerms()
        terms.earliestBeginDate = time(document, "earliestBeginDate")
        terms.requiresExternalPower = document["requiresExternalPower"]?.bool ?? false
        terms.requiresNetwork = document["requiresNetworkConnectivity"]?.bool ?? false
        terms.requiredResources = UInt32(clamping: document["requiredResources"]?.integer ?? 0)
        let origin = document["origin"]?.string
        terms.origin = RequestOrigin.allCases.first { $0.name == origin } ?? .application
        var request = StoredRequest(identity: identity, kind: kind, terms: terms, submitted: submitted)
        request.identifier = identifier
        request.application = application
        request.attempt = UInt32(clamping: document["attempt"]?.integer ?? 1)
        request.failures = UInt32(clamping: document["failures"]?.integer ?? 0)
        request.deferrals = UInt8(clamping: document["deferrals"]?.integer ?? 0)
        request.notBefore = time(document, "notBefore")
        request.scheduledFor = time(document, "scheduledFor")
        request.leftOut = time(document, "leftOut")
        return request
    }

    func applications(_ limits: SchedulerLimits, at now: Timestamp) throws(Failure) -> [String: ApplicationMemory] {
        var memories: [String: ApplicationMemory] = [:]
        for document in try client.document(.listApplications)["applications"]?.array ?? [] {
            guard let identifier = document["identifier"]?.string else { continue }
            var memory = ApplicationMemory()
            memory.isForceQuit = document["forceQuit"]?.bool ?? false
            memory.isRefreshDenied = document["refreshDenied"]?.bool ?? false
            memory.crashes = UInt32(clamping: document["crashes"]?.integer ?? 0)
            memory.quarantinedUntil = Self.time(document, "quarantinedUntil")
            memory.use(Self.span(document["usage"]), at: now, halfLife: limits.usageHalfLife)
            memory.quotaUsed = Self.span(document["quotaUsed"])
            memory.quotaEnd = Self.time(document, "quotaEnd")
            memory.fetchInterval = document["fetchInterval"]?.double == nil ? nil : Self.span(document["fetchInterval"])
            memory.unansweredFetches = UInt32(clamping: document["unansweredFetches"]?.integer ?? 0)
            memory.notifications = NotificationTimes(
                (document["notified"]?.array ?? []).compactMap { $0.string.flatMap { Timestamp(iso8601: $0) } })
            memories[identifier] = memory
        }
        return memories
    }

    func length(of identifier: String) throws(Failure) -> TimeSpan? {
        if let lengths { return lengths[identifier] }
        var lengths: [String: TimeSpan] = [:]
        var after: String?
        repeat {
            let page = try client.document(.listLengths, query: after.map { [(name: "after", value: $0)] } ?? [])
            for task in page["tasks"]?.array ?? [] {
                if let name = task["identifier"]?.string { lengths[name] = Self.span(task["median"]) }
            }
            after = page["next"]?.string
        } while after != nil
        self.lengths = lengths
        return lengths[identifier]
    }

    func device(from start: Timestamp, to end: Timestamp) throws(Failure) -> DevicePast {
        var journal: [JournalEntry] = []
        try forEach(.readJournal, "entries", limit: .max) { document in
            if let line = Self.line(document) { journal.append(line) }
            return true
        }
        return DevicePast(
            log: try deviceLog(from: start, to: end), journal: journal.reversed(), lastTrace: nil, isServed: true,
            from: start, to: end)
    }

    private static func line(_ document: JSONValue) -> JournalEntry? {
        guard let at = time(document, "at"),
            let kind = document["kind"]?.string.flatMap({ name in JournalKind.allCases.first { $0.name == name } })
        else { return nil }
        return JournalEntry(
            at: at, kind: kind, subject: document["subject"]?.string ?? "", text: document["text"]?.string ?? "")
    }

    func overrides() throws(Failure) -> [ConditionName: String] {
        var overrides: [ConditionName: String] = [:]
        let conditions = try client.document(.showDevice)["conditions"]
        for name in ConditionName.ofMachine where conditions?[name.rawValue]?["overridden"]?.bool == true {
            overrides[name] = conditions?[name.rawValue]?["value"]?.string
        }
        return overrides
    }

    /// Oldest first; of those before `start` the newest of each condition.
    private func deviceLog(from start: Timestamp, to end: Timestamp) throws(Failure) -> [DeviceLogEntry] {
        var entries: [DeviceLogEntry] = []
        var old: Set<ConditionName> = []
        try forEach(.readDeviceLog, "entries", limit: RecordLimits.rows) { document in
            guard let at = Self.time(document, "at"), let value = document["value"]?.string,
                let condition = document["condition"]?.string.flatMap(ConditionName.init(rawValue:))
            else { return true }
            // Of those before the beginning only the newest of each condition counts.
            if at >= start {
                if at <= end { entries.append(DeviceLogEntry(at: at, condition: condition, value: value)) }
            } else if old.insert(condition).inserted {
                entries.append(DeviceLogEntry(at: at, condition: condition, value: value))
            }
            return old.count < ConditionName.ofMachine.count
        }
        return entries.reversed()
    }

    private static func time(_ document: JSONValue, _ key: String) -> Timestamp? {
        document[key]?.string.flatMap { Timestamp(iso8601: $0) }
    }

    /// From seconds; none is longer than a hundred years.
    private static func span(_ seconds: JSONValue?) -> TimeSpan {
        TimeSpan(nanoseconds: Int64((min(max(seconds?.double ?? 0, 0), 3e9) * 1e9).rounded()))
    }
}
