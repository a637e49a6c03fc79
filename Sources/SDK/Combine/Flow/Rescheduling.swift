/// Hands each value and the end on in a closure that a scheduler runs, in their order.
final class Rescheduling<Output, Failure: Error>: Outlet<Output, Failure>, @unchecked Sendable {  // `state` is guarded
    private struct State {
        var items = Fifo<Step>()
        /// So many of the items have had their closure run.
        var due = 0
        var early: Subscribers.Completion<Failure>?
        var arrivals = 0

        /// What comes next is the end.
        var isAtEnd: Bool {
            if case .end = items.first { true } else { false }
        }
    }
    private let state = Guarded(State())
    private let inlet = Inlet<Output, Failure>()

    /// - Parameters:
    ///   - schedule: has a closure run.
    ///   - arrived: called before values are asked for, and for each value; it may look at `arrivals` later.
    func reschedule<P: Publisher>(
        _ publisher: P, schedule: @escaping (@escaping () -> Void) -> Void, arrived: (() -> Void)? = nil
    ) where P.Output == Output, P.Failure == Failure {
        arrived?()
        open()
        inlet.open(publisher) { [self] value in
            state.change { $0.arrivals += 1 }
            arrived?()
            add(.value(value), schedule)
            return .none
        } ended: { [self] end in
            state.change { $0.arrivals += 1 }
            add(.end(end), schedule)
        }
    }

    /// Counts what came from the upstream.
    var arrivals: Int { state.value.arrivals }

    /// Ends now; what has not been handed on is dropped.
    func end(_ completion: Subscribers.Completion<Failure>) {
        inlet.cancel()
        state.change { $0.early = completion }
        hand()
    }

    override func requested(_ demand: Subscribers.Demand) { inlet.request(demand) }

    override func next(canSend: Bool) -> Step {
        state.change { state in
            if let end = state.early { return .end(end) }
            guard state.due > 0, canSend || state.isAtEnd, let item = state.items.pop() else { return .nothing }
            state.due -= 1
            return item
        }
    }

    override func released() {
        inlet.cancel()
        state.change { $0 = State() }
    }

    private func add(_ item: Step, _ schedule: (@escaping () -> Void) -> Void) {
        state.change { $0.items.append(item) }
        schedule { [self] in
            state.change { $0.due += 1 }
            hand()
        }
    }
}
