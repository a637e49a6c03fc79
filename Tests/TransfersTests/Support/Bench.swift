import TaskModel
import TestSupport
import Testing
import Transfers

/// A queue of transfers, a clock that the test moves by hand, and an application with a session to begin with.
final class Bench {
    var queue: TransferQueue
    private(set) var now = ClockReading(
        instant: Instant(nanoseconds: 1_000_000_000_000), time: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
    let application = ApplicationIndex(number: 0)
    let other = ApplicationIndex(number: 1)
    private(set) var session: SessionHandle
    /// What the last call decided.
    private(set) var decisions: [TransferDecision] = []
    var conditions = DeviceConditions.quiet

    init(_ limits: TransferLimits = TransferLimits(), session change: (inout NewSession) -> Void = { _ in }) {
        queue = TransferQueue(limits: limits)
        var new = NewSession(application: application)
        change(&new)
        session = queue.addSession(new)
        queue.setConditions(conditions, at: now)
    }

    /// Every condition is met and no other work is in the way.
    static func begun(
        _ change: (inout TransferLimits) -> Void = { _ in }, session: (inout NewSession) -> Void = { _ in }
    ) -> Bench {
        var limits = TransferLimits()
        change(&limits)
        let bench = Bench(limits, session: session)
        bench.begin()
        return bench
    }

    func begin() { call { $0.begin(at: $1) } }

    /// Calls the queue and keeps what it decides.
    @discardableResult
    func call<Result>(_ body: (inout TransferQueue, ClockReading) -> Result) -> Result {
        queue.removeDecisions()
        defer {
            decisions = queue.decisions
            // It takes time for all that there is: tests of many transfers are not about that.
            if queue.counts.open <= 64, let fault = queue.check() { Issue.record("the queue is in disorder: \(fault)") }
        }
        return body(&queue, now)
    }

    // MARK: Transfers

    func addSession(of application: ApplicationIndex, _ change: (inout NewSession) -> Void = { _ in }) -> SessionHandle
    {
        var new = NewSession(application: application)
        change(&new)
        return queue.addSession(new)
    }

    /// One that is suspended, unless it is changed.
    func add(
        to session: SessionHandle? = nil, origin: UInt32 = 0, _ change: (inout BackgroundTransfer) -> Void = { _ in }
    ) -> TransferHandle {
        var new = BackgroundTransfer.plain(from: origin, created: now.time)
        change(&new)
        guard let transfer = call({ $0.add(new, to: session ?? self.session, at: $1) }) else {
            preconditionFailure("a session is gone")
        }
        return transfer
    }

    func resume(_ transfer: TransferHandle) { call { $0.resume(transfer, at: $1) } }

    /// One that may go.
    func go(
        in session: SessionHandle? = nil, origin: UInt32 = 0, _ change: (inout BackgroundTransfer) -> Void = { _ in }
    ) -> TransferHandle {
        let transfer = add(to: session, origin: origin, change)
        resume(transfer)
        return transfer
    }

    func attemptEnds(_ transfer: TransferHandle, _ end: AttemptEnd) {
        call { $0.attemptEnded(transfer, end, at: $1) }
    }

    /// An attempt brings it to its end, which is written.
    func finish(_ transfer: TransferHandle) {
        attemptEnds(transfer, .finished)
        let first = decisions
        writeEnd(transfer)
        decisions = first + decisions
    }

    /// So many bytes are in its file.
    func progress(_ transfer: TransferHandle, _ received: Int64) {
        call { queue, _ in queue.progressed(transfer, received: received) }
    }

    func writeEnd(_ transfer: TransferHandle) { call { _ = $0.ended(transfer, at: $1) } }
    func tell(_ transfer: TransferHandle) { call { $0.told(transfer, at: $1) } }
    func open(_ session: SessionHandle) { call { $0.open(session, at: $1) } }

    func handled(_ session: SessionHandle, inTime: Bool = true) {
        call { $0.eventsHandled(session, inTime: inTime, at: $1) }
    }

    func stand(_ standing: TransferStanding, _ application: ApplicationIndex? = nil) {
        call { $0.setStanding(of: application ?? self.application, standing, at: $1) }
    }

    // MARK: World and time

    func set(_ change: (inout DeviceConditions) -> Void) {
        change(&conditions)
        let conditions = conditions
        call { $0.setConditions(conditions, at: $1) }
    }

    func setFreeSpace(_ bytes: Int64) { call { $0.setFreeSpace(bytes, at: $1) } }

    /// Moves both clocks on and does what is due then.
    func pass(_ span: TimeSpan) {
        now.instant = now.instant + span
        now.time = now.time + span
        advance()
    }

    func advance() { call { $0.advance(to: $1) } }

    /// Sets the calendar; the monotonic clock does not notice.
    func jump(by span: TimeSpan) { now.time = now.time + span }

    // MARK: Looking

    /// Attempts that the last call began, in order.
    var begun: [TransferHandle] { decisions.compactMap { if case .begin(let transfer) = $0 { transfer } else { nil } } }
    /// How often the last call ended it.
    func ends(of transfer: TransferHandle) -> Int {
        decisions.count { if case .end(transfer, _, _) = $0 { true } else { false } }
    }
    var stopped: [TransferHandle] {
        decisions.compactMap { if case .stop(let transfer) = $0 { transfer } else { nil } }
    }
    var woken: [SessionHandle] { decisions.compactMap { if case .wake(let session) = $0 { session } else { nil } } }

    func wait(_ transfer: TransferHandle) -> TransferWait? { queue.wait(of: transfer, at: now)?.reason }

    /// How long until it continues by itself; nil: no end is known.
    func left(_ transfer: TransferHandle) -> TimeSpan? {
        queue.wait(of: transfer, at: now)?.until.map { $0 - now.time }
    }

    /// The deadline as a distance from now; nil: never.
    var untilDeadline: TimeSpan? {
        let deadline = queue.nextDeadline(at: now)
        return deadline == .distantFuture ? nil : deadline - now.instant
    }
}
