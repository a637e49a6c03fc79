/// Sends the values of several publishers as they come. Each may be one value ahead of what the subscriber asked for.
final class Flattening<Inner: Publisher>: Outlet<Inner.Output, Inner.Failure>, @unchecked Sendable {  // guarded
    private typealias Source = Inlet<Inner.Output, Inner.Failure>
    private struct State {
        var sources: [Source] = []
        var values = Fifo<(value: Inner.Output, source: Source)>()
        var outer: Inlet<Inner, Inner.Failure>?
        var failure: Inner.Failure?
        var isUnlimited = false
        var isReleased = false
    }
    private let state = Guarded(State())

    /// - Parameter limit: how many publishers there may be at a time.
    func flatten<P: Publisher>(
        _ publisher: P, limit: Subscribers.Demand, transform: @escaping (P.Output) -> Inner
    ) where P.Failure == Inner.Failure {
        let outer = Inlet<Inner, Inner.Failure>()
        state.change { $0.outer = outer }
        open()
        guard isOpen else { return }
        outer.request(limit)
        outer.open(publisher.map(transform)) { [self] inner in
            add(inner, isLimited: limit != .unlimited)
            return .none
        } ended: { [self] end in
            state.change { state in
                state.outer = nil
                if case .failure(let error) = end { state.failure = state.failure ?? error }
            }
            hand()
        }
    }

    override func requested(_ demand: Subscribers.Demand) {
        guard demand == .unlimited else { return }
        let sources = state.change { state in
            defer { state.isUnlimited = true }
            return state.isUnlimited ? [] : state.sources
        }
        for source in sources { source.request(.unlimited) }
    }

    override func next(canSend: Bool) -> Step {
        let (step, source) = state.change { state -> (Step, Source?) in
            if canSend, let entry = state.values.pop() {
                return (.value(entry.value), state.isUnlimited ? nil : entry.source)
            }
            if let failure = state.failure { return (.end(.failure(failure)), nil) }
            let isOver = state.outer == nil && state.sources.isEmpty && state.values.isEmpty
            return (isOver ? .end(.finished) : .nothing, nil)
        }
        // There is room for its next value.
        source?.request(.max(1))
        return step
    }

    override func released() {
        let old = state.change { state in
            defer { state = State(isReleased: true) }
            return state
        }
        old.outer?.cancel()
        for source in old.sources { source.cancel() }
    }

    private func add(_ inner: Inner, isLimited: Bool) {
        let source = Source()
        let demand = state.change { state in
            guard !state.isReleased else { return nil as Subscribers.Demand? }
            state.sources.append(source)
            return state.isUnlimited ? .unlimited : .max(1)
        }
        guard let demand else { return }
        source.request(demand)
        source.open(inner) { [self] value in
            state.change { $0.values.append((value, source)) }
            hand()
            return .none
        } ended: { [self] end in
            let outer = state.change { state in
                state.sources.removeAll { $0 === source }
                if case .failure(let error) = end { state.failure = state.failure ?? error }
                return state.outer
            }
            if isLimited { outer?.request(.max(1)) }
            hand()
        }
    }
}
