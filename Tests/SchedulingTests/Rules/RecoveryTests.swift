import Record
import Scheduling
import TaskModel
import Testing

/// What a start finds on record, and what the scheduler would have decided had the host lived.
struct RecoveryTests {
    private static let now = Timestamp(nanoseconds: 1_772_366_400_000_000_000)
    private static let run = RunRecord(
        id: ULID(at: now, random: (0, 7)), identifier: "com.example.feeds.refresh", application: "com.example.feeds",
        attempt: 2, submittedAt: moment(-30))

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: now.nanoseconds + seconds * 1_000_000_000)
    }

    private static func request(
        _ kind: TaskKind, _ origin: RequestOrigin, submitted: Int64, attempt: UInt32 = 1, scheduledFor: Timestamp? = nil
    ) -> TaskRequest {
        var terms = RequestTerms()
        terms.origin = origin
        var request = TaskRequest(identity: 5, kind: kind, terms: terms, submitted: moment(submitted))
        request.attempt = attempt
        request.scheduledFor = scheduledFor
        return request
    }

    private static func writes(
        _ running: TaskRequest, _ waiting: TaskRequest?, reason: Reason? = nil
    ) -> [RecordWrite] {
        var (running, run) = (running, run)
        running.running = run.id
        run.reason = reason
        let requests = [running] + (waiting.map { [$0] } ?? [])
        return Array(Recovery(runs: [run], requests: requests, at: now).record.writes.dropFirst())
    }

    private static func forgotten(_ request: TaskRequest) -> RecordWrite {
        .requestForgotten(identity: request.identity, submitted: request.submitted)
    }

    /// What statements of the record did until the scheduler decided: those that waited for a time still to come went, then
    /// those that were replaced; the rest waited again, one attempt later and without a pause.
    private static func formerly(_ running: TaskRequest, _ waiting: TaskRequest?) -> [RecordWrite] {
        var again = running
        again.attempt += again.attempt == .max ? 0 : 1
        again.notBefore = nil
        guard let waiting else { return [.requestPut(again)] }
        guard waiting.terms.origin == .schedule, let time = waiting.scheduledFor, time > now else {
            return [forgotten(running)]
        }
        return [forgotten(waiting), .requestPut(again)]
    }

    private static let waiting: [TaskRequest?] =
        [nil]
        + RequestOrigin.allCases.flatMap { origin in
            [nil, -1, 0, 1, 3600].map { seconds in
                request(.processing, origin, submitted: -3, scheduledFor: seconds.map { moment(Int64($0)) })
            }
        }

    @Test(arguments: TaskKind.allCases, RequestOrigin.allCases)
    func `What was interrupted waits again as it always did`(_ kind: TaskKind, _ origin: RequestOrigin) {
        for attempt in [1, 2, 9, UInt32.max] as [UInt32] {
            for (pause, failures) in [(nil, 0), (Self.moment(-9), 1), (Self.moment(900), 4)] as [(Timestamp?, UInt32)] {
                for waiting in Self.waiting {
                    var running = Self.request(
                        kind, origin, submitted: -60, attempt: attempt,
                        scheduledFor: origin == .schedule ? Self.moment(-61) : nil)
                    running.notBefore = pause
                    running.failures = failures
                    running.leftOut = Self.moment(-90)
                    (running.title, running.payload) = ("Exporting", [7])
                    for reason in [nil, .budget, .powerLost, .hostStopping, .simulated] as [Reason?] {
                        #expect(
                            Self.writes(running, waiting, reason: reason) == Self.formerly(running, waiting),
                            "\(attempt) \(String(describing: waiting)) \(String(describing: reason))")
                    }
                }
            }
        }
    }

    @Test func `What a user cancelled does not come back because the host died before its end`() {
        let running = Self.request(.processing, .application, submitted: -60)
        let coming = Self.request(.processing, .schedule, submitted: -3, scheduledFor: Self.moment(60))
        #expect(Self.writes(running, nil, reason: .userCancelled) == [Self.forgotten(running)])
        #expect(Self.writes(running, coming, reason: .userCancelled) == [Self.forgotten(running)])
    }

    @Test func `Runs end with what is known of them, oldest first, and before their requests`() {
        var (first, second) = (Self.run, Self.run)
        second.id = ULID(at: Self.now, random: (0, 8))
        first.startedAt = Self.moment(-20)
        first.expiredAt = Self.moment(-10)
        first.reason = .thermal
        var request = Self.request(.processing, .application, submitted: -60)
        request.running = second.id
        let writes = Recovery(runs: [first, second], requests: [request], at: Self.now).record.writes
        guard case .runEnded(let end, let events) = writes[0], case .runEnded(let other, _) = writes[1] else {
            Issue.record("\(writes)")
            return
        }
        #expect(
            end
                == RunEnd(
                    id: first.id, outcome: .interrupted, reason: .thermal, startedAt: first.startedAt,
                    expiredAt: first.expiredAt, endedAt: Self.now))
        let kinds = events.withSpan { span in span.indices.map { span[$0].kind } }
        #expect(kinds == [.submitted, .started, .expired, .interrupted])
        #expect(other.id == second.id && writes.count == 3)
    }

    @Test func `Nothing left is nothing to write, and a run that the record lost does no harm`() {
        #expect(Recovery(runs: [], requests: [], at: Self.now).record.isEmpty)
        var request = Self.request(.processing, .application, submitted: -60)
        request.running = TaskRequest.unknownRun
        let writes = Recovery(runs: [], requests: [request], at: Self.now).record.writes
        #expect(
            writes
                == Self.formerly(
                    {
                        var waiting = request; waiting.running = nil; return waiting
                    }(), nil))
    }

    // MARK: Beside a scheduler that lives

    /// A request that runs, and what waits behind it, in a scheduler.
    enum Behind: CaseIterable {
        case nothing, resubmitted, coming, due
    }

    /// What the scheduler decided at the end, as writes.
    private static func decided(_ decisions: [Decision], _ bench: Bench) -> [RecordWrite] {
        decisions.compactMap { decision in
            switch decision {
            case .forget(let identity, let submitted): .requestForgotten(identity: identity, submitted: submitted)
            case .remember(let handle): bench.request(handle).map { .requestPut($0.request) }
            default: nil
            }
        }
    }

    @Test(arguments: Behind.allCases, [nil, .userCancelled, .applicationTerminated, .hostStopping] as [Reason?])
    func `A start decides as the scheduler that saw the end`(_ behind: Behind, _ reason: Reason?) throws {
        let bench = Bench()
        let schedule = behind == .nothing || behind == .resubmitted ? nil : bench.every(.minutes(10))
        let task = bench.add(.processing) { $0.schedule = schedule }
        bench.begin()
        let handle: RequestHandle
        if schedule != nil {
            bench.pass(.minutes(10))
            handle = try #require(bench.started.first)
        } else {
            handle = try bench.submit(task)
        }
        if behind == .resubmitted { try bench.submit(task) }
        if behind == .due { bench.pass(.minutes(11)) }
        // The record as a host that dies now leaves it.
        var running = try #require(bench.request(handle)).request
        running.running = Self.run.id
        let waiting = bench.pendingRequest(of: task).flatMap { bench.request($0) }.map(\.request)
        #expect((waiting == nil) == (behind == .nothing))
        var run = Self.run
        run.reason = reason
        let recovery = Recovery(
            runs: [run], requests: [running] + (waiting.map { [$0] } ?? []), at: bench.now.time)
        bench.scheduler.stop(at: bench.now)
        bench.end(handle, .interrupted, reason)
        #expect(Array(recovery.record.writes.dropFirst()) == Self.decided(bench.decisions, bench))
    }

    @Test(arguments: [false, true])
    func `What a user ran before its time does not wait for that after a start`(_ isScheduled: Bool) throws {
        let (bench, later) = (Bench(), Bench())
        let task = bench.add(.processing) { $0.schedule = isScheduled ? bench.every(.minutes(10)) : nil }
        let same = later.add(.processing) { $0.schedule = isScheduled ? later.every(.minutes(10)) : nil }
        bench.begin()
        if !isScheduled {
            let date = Timestamp(nanoseconds: bench.now.time.nanoseconds + 3600 * 1_000_000_000)
            try bench.submit(task) { $0.earliestBeginDate = date }
        }
        #expect(bench.started.isEmpty)
        bench.call { _ = $0.simulateLaunch(identity: bench.identity(task), at: $1) }
        let handle = try #require(bench.started.first)
        // The record as a host that dies now leaves it.
        var running = try #require(bench.request(handle)).request
        running.running = Self.run.id
        let waiting = bench.pendingRequest(of: task).flatMap { bench.request($0) }.map(\.request)
        let recovery = Recovery(
            runs: [Self.run], requests: [running] + (waiting.map { [$0] } ?? []), at: bench.now.time)
        // The host that lives starts it at once.
        bench.end(handle, .interrupted)
        #expect(bench.started == [handle])
        let writes = recovery.record.writes.dropFirst()
        guard case .requestPut(let stored)? = writes.last else { throw Surprise.nothingWaits }
        #expect(stored.scheduledFor == nil)
        let restored = later.scheduler.restore(stored, of: same)
        later.begin()
        #expect(later.started == [restored])
    }

    private enum Surprise: Error { case nothingWaits }
}
