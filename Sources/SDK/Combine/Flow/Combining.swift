/// The newest values of two publishers, as each gives another. Of pairs that nobody asked for, the newest one is kept.
final class Combining<A: Publisher, B: Publisher>: Outlet<(A.Output, B.Output), A.Failure>, @unchecked Sendable
where A.Failure == B.Failure {
    private struct State {
        var first: A.Output?
        var second: B.Output?
        var pairs = Fifo<(A.Output, B.Output)>()
        var open = 2
        var failure: A.Failure?

        /// Adds a pair if there is one.
        mutating func pair(wanted: Subscribers.Demand) {
            guard let first, let second else { return }
            if pairs.isEmpty || wanted > pairs.count {
                pairs.append((first, second))
            } else {
                pairs.replaceLast((first, second))
            }
        }
    }
    // It is guarded; the inlets have locks.
    private let state = Guarded(State())
    private let first = Inlet<A.Output, A.Failure>()
    private let second = Inlet<B.Output, B.Failure>()

    func combine(_ a: A, _ b: B) {
        open()
        first.open(a) { [self] value in
            change { $0.first = value }
        } ended: { [self] in
            end($0)
        }
        second.open(b) { [self] value in
            change { $0.second = value }
        } ended: { [self] in
            end($0)
        }
    }

    override func requested(_ demand: Subscribers.Demand) {
        first.request(demand)
        second.request(demand)
    }

    override func next(canSend: Bool) -> Step {
        state.change { state in
            if canSend, let pair = state.pairs.pop() { return .value(pair) }
            if let failure = state.failure { return .end(.failure(failure)) }
            return state.open == 0 && state.pairs.isEmpty ? .end(.finished) : .nothing
        }
    }

    override func released() {
        first.cancel()
        second.cancel()
        state.change { $0 = State() }
    }

    private func change(_ set: (inout State) -> Void) -> Subscribers.Demand {
        let wanted = demand
        state.change { state in
            set(&state)
            state.pair(wanted: wanted)
        }
        hand()
        return .none
    }

    private func end(_ end: Subscribers.Completion<A.Failure>) {
        state.change { state in
            state.open -= 1
            if case .failure(let error) = end { state.failure = state.failure ?? error }
        }
        hand()
    }
}
