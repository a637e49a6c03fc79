package import TaskModel

/// Plays a scheduler on a virtual clock over conditions as they are expected, and notes what starts when and why then.
///
/// It decides nothing: the scheduler does, as in the host. Every run takes the expected time of its task and succeeds,
/// unless a condition is lost; while the machine sleeps it is suspended. A class, since its scheduler is not copied and its
/// document keeps it. Use it on one thread.
package final class Forecast {
    /// The conditions from a time on.
    package struct Change: Sendable, Equatable {
        package var at: Timestamp
        package var conditions: DeviceConditions

        package init(at: Timestamp, conditions: DeviceConditions) {
            self.at = at
            self.conditions = conditions
        }
    }

    /// A run that is expected.
    package struct Run: Sendable {
        package var request: TaskRequest
        package var task: TaskIndex
        package var start: Timestamp
        package var end: Timestamp
        /// The condition that it loses before its time is over; its request then waits again.
        package var stopped: Reason?
        /// What delays it from the forecast's beginning until its start. Earlier delays do not appear.
        package var waits: [GateWait]
    }

    private struct Going: Sendable {
        var handle: RequestHandle
        /// Its place in `runs`.
        var run: Int
        var end: Timestamp
    }

    private var scheduler: Scheduler
    /// How long a run of each task takes.
    private let lengths: Table<TaskIndex, TimeSpan>
    private let limit: Int
    private let beginning: Timestamp
    private var now: ClockReading
    private var going: [Going] = []
    /// Since when the machine sleeps; nil: it is awake.
    private var asleepSince: Timestamp?

    package private(set) var runs: [Run] = []
    /// There would have been more runs than the limit; the forecast ends with the last of them.
    package private(set) var isCut = false
    package var end: Timestamp { now.time }

    /// - Parameters:
    ///   - scheduler: with its tables and the requests that are pending; not begun.
    ///   - lengths: one for each of its tasks, in their order.
    ///   - limit: runs at most.
    package init(_ scheduler: consuming Scheduler, lengths: [TimeSpan], from start: Timestamp, limit: Int) {
        self.scheduler = scheduler
        self.lengths = Table(lengths)
        self.limit = limit
        beginning = start
        now = ClockReading(instant: Instant(nanoseconds: 0), time: start)
    }

    /// Plays until a time. Call once.
    ///
    /// - Parameter changes: in order of time; those up to the start are the initial conditions.
    package func play(over changes: [Change], until end: Timestamp) {
        var rest = changes[...]
        takeChanges(&rest)
        scheduler.begin(at: now)
        act()
        while !isCut {
            let deadline = now.time.advanced(by: scheduler.nextDeadline(at: now) - now.instant)
            let nextEnd = asleepSince == nil ? going.map(\.end).min() : nil
            let next = [deadline, rest.first?.at, nextEnd].compactMap(\.self).min() ?? end
            guard next < end else { break }
            move(to: max(next, now.time))
            takeChanges(&rest)
            while asleepSince == nil, let index = going.firstIndex(where: { $0.end <= now.time }) {
                let run = going.remove(at: index)
                scheduler.ended(
                    run.handle, RequestEnd(outcome: .succeeded, reason: nil, cpuTime: nil), at: now)
                act()
            }
            scheduler.advance(to: now)
            act()
        }
        if !isCut { move(to: end) }
    }

    /// The gates that hold the pending request of an identity when the forecast ends; empty when none is pending.
    package func gates(identity: Int64) -> [GateReport] {
        scheduler.handle(identity: identity).map { scheduler.explain($0, at: now) } ?? []
    }

    private func move(to time: Timestamp) {
        let passed = Scheduler.span(from: now.time.nanoseconds, to: time.nanoseconds)
        now = ClockReading(instant: now.instant + passed, time: time)
    }

    private func takeChanges(_ rest: inout ArraySlice<Change>) {
        while let change = rest.first, change.at <= now.time {
            rest.removeFirst()
            // Only the last change before the start applies.
            if let next = rest.first, next.at <= now.time { continue }
            setSleep(change.conditions.isAsleep == .yes)
            scheduler.setConditions(change.conditions, at: now)
            act()
        }
    }

    /// Runs are suspended while the machine sleeps, and continue afterwards.
    private func setSleep(_ isAsleep: Bool) {
        guard isAsleep != (asleepSince != nil) else { return }
        if let since = asleepSince {
            let slept = now.time - since
            for index in going.indices {
                going[index].end = going[index].end.advanced(by: slept)
                runs[going[index].run].end = going[index].end
            }
        }
        asleepSince = isAsleep ? now.time : nil
    }

    /// Carries out the decisions, and those that follow from them.
    private func act() {
        var next = 0
        while next < scheduler.decisions.count {
            let decision = scheduler.decisions[next]
            next += 1
            switch decision {
            case .start(let handle, _): start(handle)
            case .expire(let handle, let reason): stop(handle, reason)
            // It writes nothing down, and no application crashes.
            case .remember, .forget, .terminate, .rememberApplication, .quarantined, .starved, .pauseEnded: continue
            }
        }
        scheduler.removeDecisions()
    }

    private func start(_ handle: RequestHandle) {
        guard let view = scheduler.request(handle) else { return }
        guard runs.count < limit else {
            isCut = true
            return
        }
        let end = now.time.advanced(by: lengths[view.task])
        going.append(Going(handle: handle, run: runs.count, end: end))
        let waits = scheduler.waits(of: handle, at: now).filter { $0.to > beginning }.map { wait in
            GateWait(gate: wait.gate, from: max(wait.from, beginning), to: wait.to)
        }
        runs.append(Run(request: view.request, task: view.task, start: now.time, end: end, waits: waits))
    }

    private func stop(_ handle: RequestHandle, _ reason: Reason) {
        guard let index = going.firstIndex(where: { $0.handle == handle }) else { return }
        let run = going.remove(at: index).run
        runs[run].end = now.time
        runs[run].stopped = reason
        scheduler.ended(
            handle, RequestEnd(outcome: .expired, reason: reason, cpuTime: nil), at: now)
    }
}

extension Timestamp {
    /// Later by a span; saturates where timestamps end.
    fileprivate func advanced(by span: TimeSpan) -> Timestamp {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(span.nanoseconds)
        return Timestamp(nanoseconds: overflow ? .max : sum)
    }
}
