import Record
import Scheduling
import Store
import TaskModel

/// The scheduler in the hands of a host that does nothing else: an event, its decisions, perhaps their commit.
struct Desk: ~Copyable {
    var scheduler: Scheduler
    /// nil: nothing is remembered.
    let store: Store?
    var now = Population.start
    /// In the order of their starts.
    private(set) var running: [RequestHandle] = []
    /// What every request that starts becomes: runs are not what is measured.
    private var run: ULID?

    init(_ scheduler: consuming Scheduler, _ store: Store?) {
        self.scheduler = scheduler
        self.store = store
    }

    /// One turn with one event.
    mutating func turn(
        after pause: TimeSpan = TimeSpan(nanoseconds: 1000),
        _ event: (inout Scheduler, ClockReading) throws -> Void
    ) throws {
        now.instant = now.instant + pause
        now.time.nanoseconds += pause.nanoseconds
        scheduler.advance(to: now)
        try event(&scheduler, now)
        var next = 0
        while next < scheduler.decisions.count {
            try act(on: scheduler.decisions[next])
            next += 1
        }
        scheduler.removeDecisions()
        try store?.commit()
        // What the host would set its timer to.
        guard scheduler.nextDeadline(at: now) > Instant(nanoseconds: 0) else { throw Surprise.deadline }
    }

    private mutating func act(on decision: Decision) throws {
        switch decision {
        case .remember(let handle):
            guard let store, let view = scheduler.request(handle) else { return }
            try store.putRequest(view.request)
        case .forget(let identity, let submitted):
            try store?.forgetRequest(identity: identity, submitted: submitted)
        case .start(let handle, _):
            running.append(handle)
            guard let store, let request = scheduler.request(handle)?.request else { return }
            let run = try self.run ?? admitRun(store)
            try store.markRequestRunning(identity: request.identity, submitted: request.submitted, run: run)
        case .rememberApplication(let application):
            try store?.putApplication(Int64(application.number) + 1, scheduler.memory(of: application))
        case .expire, .terminate, .quarantined, .starved, .pauseEnded: throw Surprise.decision
        }
    }

    private mutating func admitRun(_ store: Store) throws -> ULID {
        let start = RunStart(id: ULID(at: now.time, random: (0, 1)), task: 1, attempt: 1, submittedAt: now.time)
        try store.insertRun(start)
        run = start.id
        return start.id
    }

    /// The request that has run longest; the caller ends it.
    mutating func takeRunning() throws -> (RequestHandle, identity: Int64) {
        guard !running.isEmpty, let view = scheduler.request(running[0]) else { throw Surprise.nothingRuns }
        return (running.removeFirst(), view.request.identity)
    }
}

/// The benchmark went another way than it was meant to.
enum Surprise: Error {
    case deadline, decision, nothingRuns, wrongCount
}
