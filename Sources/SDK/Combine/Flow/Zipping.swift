/// Pairs of the values of two publishers, in their order.
final class Zipping<A: Publisher, B: Publisher>: Outlet<(A.Output, B.Output), A.Failure>, @unchecked Sendable
where A.Failure == B.Failure {
    private struct State {
        var first = Fifo<A.Output>()
        var second = Fifo<B.Output>()
        var hasFirstEnded = false
        var hasSecondEnded = false
        var failure: A.Failure?
    }
    // It is guarded; the inlets have locks.
    private let state = Guarded(State())
    private let first = Inlet<A.Output, A.Failure>()
    private let second = Inlet<B.Output, B.Failure>()

    func zip(_ a: A, _ b: B) {
        open()
        first.open(a) { [self] value in
            state.change { $0.first.append(value) }
            hand()
            return .none
        } ended: { [self] in
            end($0) { $0.hasFirstEnded = true }
        }
        second.open(b) { [self] value in
            state.change { $0.second.append(value) }
            hand()
            return .none
        } ended: { [self] in
            end($0) { $0.hasSecondEnded = true }
        }
    }

    override func requested(_ demand: Subscribers.Demand) {
        first.request(demand)
        second.request(demand)
    }

    override func next(canSend: Bool) -> Step {
        state.change { state in
            if canSend, !state.first.isEmpty, !state.second.isEmpty,
                let a = state.first.pop(), let b = state.second.pop()
            {
                return .value((a, b))
            }
            if let failure = state.failure { return .end(.failure(failure)) }
            // There will be no other pair.
            let isOver =
                state.hasFirstEnded && state.first.isEmpty || state.hasSecondEnded && state.second.isEmpty
            return isOver ? .end(.finished) : .nothing
        }
    }

    override func released() {
        first.cancel()
        second.cancel()
        state.change { $0 = State() }
    }

    private func end(_ end: Subscribers.Completion<A.Failure>, _ note: (inout State) -> Void) {
        state.change { state in
            note(&state)
            if case .failure(let error) = end { state.failure = state.failure ?? error }
        }
        hand()
    }
}
