/// Values one at a time, for whoever waits for them.
final class Pull<Output, Failure: Error>: @unchecked Sendable {  // `state` is guarded
    private typealias Waiting = CheckedContinuation<Moved<Output?>, any Error>
    private struct State {
        /// One for each value that was asked for.
        var waiting = Fifo<Waiting>()
        var failure: Failure?
        var hasEnded = false
    }
    private let state = Guarded(State())
    private let inlet = Inlet<Output, Failure>()

    init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        inlet.open(publisher) { [weak self] value in
            let waiting = self?.state.change { $0.waiting.pop() }
            waiting?.resume(returning: Moved(value: value))
            return .none
        } ended: { [weak self] end in
            self?.end(end)
        }
    }

    deinit { inlet.cancel() }

    /// The next value; nil at the end.
    func next(isolation: isolated (any Actor)? = #isolation) async throws -> Output? {
        let value = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0) }
        } onCancel: {
            cancel()
        }
        return value.value
    }

    private func wait(_ waiting: Waiting) {
        let end = state.change { state -> Result<Moved<Output?>, any Error>? in
            guard state.hasEnded else {
                state.waiting.append(waiting)
                return nil
            }
            defer { state.failure = nil }
            return state.failure.map { .failure($0) } ?? .success(Moved(value: nil))
        }
        if let end { waiting.resume(with: end) } else { inlet.request(.max(1)) }
    }

    private func cancel() {
        inlet.cancel()
        end(.finished)
    }

    private func end(_ end: Subscribers.Completion<Failure>) {
        var waiting = state.change { state in
            guard !state.hasEnded else { return Fifo<Waiting>() }
            let isAwaited = !state.waiting.isEmpty
            if !isAwaited, case .failure(let error) = end { state.failure = error }
            state.hasEnded = true
            defer { state.waiting = Fifo() }
            return state.waiting
        }
        // The first one that waits gets the failure.
        if case .failure(let error) = end { waiting.pop()?.resume(throwing: error) }
        while let next = waiting.pop() { next.resume(returning: Moved(value: nil)) }
    }
}
