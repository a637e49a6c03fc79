/// Takes all values of its upstream and sends one of them when its time has come, if it is asked for then.
class Settling<Output, Failure: Error>: Outlet<Output, Failure>, @unchecked Sendable {  // `state` is guarded
    struct State {
        /// What waits for its time.
        var pending: Output?
        /// Its time has come.
        var due: Output?
        var end: Subscribers.Completion<Failure>?
        /// The end is not for now.
        var isEndLate = false
        /// Counts the values.
        var number = 0
    }
    final let state = Guarded(State())
    private let inlet = Inlet<Output, Failure>()

    final func settle<P: Publisher>(
        _ publisher: P, _ receive: @escaping (Output) -> Void,
        ended: @escaping (Subscribers.Completion<Failure>) -> Void
    ) where P.Output == Output, P.Failure == Failure {
        open()
        guard isOpen else { return }
        inlet.request(.unlimited)
        inlet.open(publisher) { value in
            receive(value)
            return .none
        } ended: {
            ended($0)
        }
    }

    override func next(canSend: Bool) -> Step {
        state.change { state in
            let due = state.due
            state.due = nil
            if canSend, let due { return .value(due) }
            return state.isEndLate ? .nothing : state.end.map { .end($0) } ?? .nothing
        }
    }

    override func released() {
        inlet.cancel()
        state.change { $0 = State() }
    }
}

/// A value after which there was none for a while.
final class Debouncing<Output, Failure: Error>: Settling<Output, Failure>, @unchecked Sendable {
    func debounce<P: Publisher, S: Scheduler>(
        _ publisher: P, for time: S.SchedulerTimeType.Stride, _ scheduler: S, _ options: S.SchedulerOptions?
    ) where P.Output == Output, P.Failure == Failure {
        settle(publisher) { [self] value in
            let number = state.change { state in
                state.number += 1
                state.pending = value
                return state.number
            }
            scheduler.schedule(
                after: scheduler.now.advanced(by: time), tolerance: scheduler.minimumTolerance, options: options
            ) { [weak self] in
                self?.fire(number)
            }
        } ended: { [self] end in
            // The value that waits is not sent any more.
            state.change { state in
                state.number += 1
                state.pending = nil
            }
            scheduler.schedule(options: nil) { [self] in
                state.change { $0.end = end }
                hand()
            }
        }
    }

    private func fire(_ number: Int) {
        state.change { state in
            guard state.number == number else { return }
            state.due = state.pending
            state.pending = nil
        }
        hand()
    }
}

/// At most one value in a while.
final class Throttling<Output, Failure: Error, Time: Strideable>: Settling<Output, Failure>, @unchecked Sendable {
    private let sent = Guarded<Time?>(nil)

    func throttle<P: Publisher, S: Scheduler>(
        _ publisher: P, for time: Time.Stride, _ scheduler: S, isLatest: Bool
    ) where P.Output == Output, P.Failure == Failure, S.SchedulerTimeType == Time {
        let fire = { [weak self] in
            self?.fire(scheduler.now)
            return
        }
        settle(publisher) { [self] value in
            let now = scheduler.now
            guard demand > .none else { return }
            let isFirst = state.change { state in
                let isFirst = state.pending == nil
                if isFirst || isLatest { state.pending = value }
                return isFirst
            }
            guard isFirst else { return }
            if let next = sent.value?.advanced(by: time), next > now {
                scheduler.schedule(after: next, tolerance: scheduler.minimumTolerance, options: nil, fire)
            } else {
                scheduler.schedule(options: nil, fire)
            }
        } ended: { [self] end in
            let isLate = state.change { state in
                state.end = end
                state.isEndLate = true
                return state.pending != nil
            }
            if !isLate { scheduler.schedule(options: nil, fire) }
        }
    }

    private func fire(_ now: Time) {
        state.change { state in
            state.due = state.pending
            state.pending = nil
            state.isEndLate = false
            if state.due != nil { sent.change { $0 = now } }
        }
        hand()
    }
}
