import Linux
import Record
import Scheduling
import TaskModel

/// The record in its file, while no host holds it. So nothing runs: what has no outcome was interrupted, when its host was
/// killed, as the next host will write down.
final class FileRecord: Past {
    private let reader: any RecordReader
    /// The newest run of every task, once asked for.
    private var lastRuns: [String: RunRecord]?

    init(_ reader: any RecordReader) { self.reader = reader }

    func runs(of name: String?, limit: Int) throws(Failure) -> [RunRecord] {
        try RecordAccess.reading { () throws(StoreError) in
            guard let name else { return try reader.runs(limit: limit) }
            let ofTask = try reader.runs(identifier: name, limit: limit)
            return ofTask.isEmpty ? try reader.runs(application: name, limit: limit) : ofTask
        }.map(Self.settled)
    }

    func runs(ofApplication application: String, limit: Int) throws(Failure) -> [RunRecord] {
        try RecordAccess.reading { () throws(StoreError) in try reader.runs(application: application, limit: limit) }
            .map(Self.settled)
    }

    func terminations(of application: String, limit: Int) throws(Failure) -> [Termination] {
        try RecordAccess.reading { () throws(StoreError) in
            try reader.terminations(application: application, before: nil, limit: limit).elements
        }
    }

    func sleeps(from start: Timestamp, to end: Timestamp) throws(Failure) -> [Range<Timestamp>] {
        let log = try RecordAccess.reading { () throws(StoreError) in try reader.deviceLog(from: start, to: end) }
        return Self.sleeps(in: log, from: start, to: end)
    }

    private static func settled(_ run: RunRecord) -> RunRecord {
        var run = run
        if run.outcome == nil { run.outcome = .interrupted }
        return run
    }

    func last(_ identifier: String) throws(Failure) -> RunRecord? {
        if let lastRuns { return lastRuns[identifier] }
        let runs = try RecordAccess.reading { () throws(StoreError) in try reader.lastRuns() }.mapValues(Self.settled)
        lastRuns = runs
        return runs[identifier]
    }

    func run(_ text: String) throws(Failure) -> KeptRun {
        switch try RecordAccess.reading({ () throws(StoreError) in try reader.run(matching: text) }) {
        case .found(let record):
            let size = try RecordAccess.reading { () throws(StoreError) in try reader.outputSize(of: record.id) }
            return KeptRun(record: Self.settled(record), kept: size.kept, dropped: size.dropped)
        case .missing: throw .usage("there is no such run; \(text); see taskhost history")
        case .malformed:
            throw .usage("this is no run's id; \(text); give at least \(RunMatch.minimumLength) of its 26 characters")
        case .ambiguous(let candidates):
            throw .usage(
                "several runs begin like this; \(text); give more characters: "
                    + candidates.map(\.description).joined(separator: " "))
        }
    }

    func output(of id: ULID) throws(Failure) -> [UInt8] {
        try RecordAccess.reading { () throws(StoreError) in try reader.output(of: id).bytes }
    }

    func copy(to file: BackupFile, progress: (Int64, Int64) -> Void) throws(Failure) -> Int64 {
        try RecordAccess.reading { () throws(StoreError) in
            let copy = try reader.copy(to: file.part)
            // A mebibyte at a time.
            while try !copy.copy(pages: 256) { progress(copy.copied, copy.size) }
            return copy.size
        }
    }

    func pending() throws(Failure) -> [StoredRequest] {
        try RecordAccess.reading { () throws(StoreError) in
            let requests = try reader.requests()
            let interrupted = requests.compactMap(\.running)
            guard !interrupted.isEmpty else { return requests }
            var runs: [RunRecord] = []
            for id in interrupted { if let run = try reader.run(id) { runs.append(run) } }
            let recovery = Recovery(runs: runs, requests: requests, at: Clock.moment().time)
            return Self.pending(requests, after: recovery.record.writes)
        }
    }

    /// Those that wait once the next host has written what became of the runs that were interrupted.
    private static func pending(_ requests: [StoredRequest], after writes: [RecordWrite]) -> [StoredRequest] {
        var pending = requests.filter { $0.running == nil }
        for write in writes {
            if case .requestPut(let request) = write {
                pending.append(request)
            } else if case .requestForgotten(let identity, let submitted) = write {
                pending.removeAll { $0.identity == identity && $0.submitted == submitted }
            }
        }
        return pending
    }

    func applications(_ limits: SchedulerLimits, at now: Timestamp) throws(Failure) -> [String: ApplicationMemory] {
        try RecordAccess.reading { () throws(StoreError) in try reader.applications() }
    }

    func length(of identifier: String) throws(Failure) -> TimeSpan? {
        try RecordAccess.reading { () throws(StoreError) in try reader.medianLength(of: identifier) }
    }

    func device(from start: Timestamp, to end: Timestamp) throws(Failure) -> DevicePast {
        try RecordAccess.reading { () throws(StoreError) in
            var journal: [JournalEntry] = []
            var before: Int64?
            repeat {
                let page = try reader.journal(before: before, limit: RecordLimits.rows)
                journal += page.elements
                before = page.next
            } while before != nil
            return DevicePast(
                log: try reader.deviceLog(from: start, to: end), journal: journal.reversed(),
                lastTrace: try reader.newestMoment(), isServed: false, from: start, to: end)
        }
    }

    func overrides() throws(Failure) -> [ConditionName: String] {
        try RecordAccess.reading { () throws(StoreError) in try reader.overrides() }
    }
}
