import Linux
import Record
import TaskModel

/// The record in its file, while no host holds it. So nothing runs: what has no outcome was interrupted, when its host was
/// killed, as the next host will write down.
final class FileRecord: Past {
    private let reader: any RecordReader

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
}
