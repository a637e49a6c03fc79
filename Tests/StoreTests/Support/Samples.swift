import Record
import Scheduling
import Store
import TaskModel

/// 2026-03-01T12:00:00Z and so many milliseconds.
func moment(_ milliseconds: Int64 = 0) -> Timestamp {
    Timestamp(nanoseconds: 1_772_366_400_000_000_000 + milliseconds * 1_000_000)
}

func sampleID(_ milliseconds: Int64, _ salt: UInt64 = 0) -> ULID {
    ULID(at: moment(milliseconds), random: (UInt16(truncatingIfNeeded: salt >> 48), salt &* 0x9E37_79B9_7F4A_7C15))
}

extension Store {
    /// The number of a task, a new one written in the open turn.
    func taskRow(identifier: String, application: String) throws -> Int64 {
        let task = TaskName(identifier, of: application)
        if let known = try history.taskRow(task) { return known }
        let row = try history.highestNames().task + 1
        try name(task, row)
        return row
    }

    /// The same of an application.
    func applicationRow(_ identifier: String) throws -> Int64 {
        if let known = try history.applicationRow(identifier) { return known }
        let row = try history.highestNames().application + 1
        try name(application: identifier, row)
        return row
    }

    /// The same of a setup.
    func setupRow(confinement: String?, degraded: [String]) throws -> Int64 {
        let setup = RunSetup(confinement: confinement, degraded: degraded)
        if let known = try history.setupRow(setup) { return known }
        let row = try history.highestNames().setup + 1
        try name(setup, row)
        return row
    }

    /// Records a run admitted so many milliseconds after the sample moment.
    @discardableResult
    func admit(
        _ milliseconds: Int64, salt: UInt64 = 0, identifier: String = "com.example.feeds.refresh",
        application: String = "com.example.feeds"
    ) throws -> ULID {
        let run = RunStart(
            id: sampleID(milliseconds, salt),
            task: try taskRow(identifier: identifier, application: application), attempt: 1,
            submittedAt: moment(milliseconds))
        try insertRun(run)
        return run.id
    }

    func end(_ run: ULID, _ outcome: Outcome = .succeeded, at milliseconds: Int64) throws {
        try finishRun(RunEnd(id: run, outcome: outcome, endedAt: moment(milliseconds)), events: Span())
    }

    func append(_ run: ULID, _ bytes: [UInt8], dropped: UInt64 = 0) throws {
        try appendOutput(to: run, bytes: bytes.span.bytes, dropped: dropped)
    }

    /// Records a whole run that takes a millisecond.
    @discardableResult
    func record(_ milliseconds: Int64, salt: UInt64 = 0) throws -> ULID {
        let run = try admit(milliseconds, salt: salt)
        try end(run, at: milliseconds + 1)
        return run
    }
}

extension Store {
    /// What a host does first when the one before it died.
    ///
    /// - Returns: how many runs were interrupted, and how many requests wait again.
    @discardableResult
    func recover(at now: Timestamp) throws -> (runs: Int, requests: Int) {
        let recovery = Recovery(runs: try unfinishedRuns(), requests: try interruptedRequests(), at: now)
        try write(recovery.record)
        return recovery.record.writes.reduce(into: (0, 0)) { count, write in
            switch write {
            case .runEnded: count.0 += 1
            case .requestPut: count.1 += 1
            default: break
            }
        }
    }

    /// A request as an application makes one, submitted so many milliseconds after the sample moment.
    func sampleRequest(
        _ identifier: String = "com.example.feeds.refresh", submitted milliseconds: Int64
    ) throws -> TaskRequest {
        let application = "com.example.feeds"
        var request = TaskRequest(
            identity: try taskRow(identifier: identifier, application: application), kind: .appRefresh,
            terms: RequestTerms(), submitted: moment(milliseconds))
        request.identifier = identifier
        request.application = application
        return request
    }
}
