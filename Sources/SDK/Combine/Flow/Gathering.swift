/// An operator that takes all values of its upstream and gives at most one.
final class Gathering<Output, Failure: Error>: Outlet<Output, Failure>, @unchecked Sendable {  // guarded
    private struct Outcome {
        var value: Output?
        var end: Subscribers.Completion<Failure>?
    }
    private let outcome = Guarded(Outcome())
    private let upstream = Guarded<(any Cancellable)?>(nil)

    /// - Parameters:
    ///   - take: gets each value; `pass` is no answer.
    ///   - result: the value of an upstream that has finished.
    func gather<P: Publisher>(
        _ publisher: P, take: @escaping (P.Output) -> Verdict<Output, Failure>, result: @escaping () -> Output?,
        failure: @escaping (P.Failure) -> Failure
    ) {
        let inlet = Inlet<P.Output, P.Failure>()
        upstream.change { $0 = inlet }
        open()
        guard isOpen else { return inlet.cancel() }
        inlet.request(.unlimited)
        inlet.open(publisher) { [self] value in
            switch take(value) {
            case .pass, .skip: break
            case .last(let value): settle(value, .finished)
            case .end(let end): settle(nil, end)
            }
            return .none
        } ended: { [self] end in
            switch end {
            case .finished: settle(result(), .finished)
            case .failure(let error): settle(nil, .failure(failure(error)))
            }
        }
    }

    override func next(canSend: Bool) -> Step {
        outcome.change { outcome in
            if outcome.value != nil {
                guard canSend, let value = outcome.value else { return .nothing }
                outcome.value = nil
                return .value(value)
            }
            return outcome.end.map { .end($0) } ?? .nothing
        }
    }

    override func released() { leave() }

    private func settle(_ value: Output?, _ end: Subscribers.Completion<Failure>) {
        let isFirst = outcome.change { outcome in
            guard outcome.end == nil else { return false }
            outcome = Outcome(value: value, end: end)
            return true
        }
        guard isFirst else { return }
        leave()
        hand()
    }

    private func leave() {
        let old = upstream.change { upstream in
            defer { upstream = nil }
            return upstream
        }
        old?.cancel()
    }
}

extension Publisher {
    /// An operator on all values.
    /// - Parameter start: makes what takes the values of one subscription, and its result.
    func gathered<T>(
        _ start: @escaping () -> (take: (Output) -> Verdict<T, Failure>, result: () -> T?)
    ) -> AnyPublisher<T, Failure> {
        AnyPublisher { next in
            let (take, result) = start()
            Gathering(next).gather(self, take: take, result: result, failure: { $0 })
        }
    }

    /// The same, which fails when `take` throws.
    func tryGathered<T>(
        _ start: @escaping () -> (take: (Output) throws -> Verdict<T, any Error>, result: () -> T?)
    ) -> AnyPublisher<T, any Error> {
        AnyPublisher { next in
            let (take, result) = start()
            Gathering<T, any Error>(next).gather(
                self,
                take: { value in
                    do { return try take(value) } catch { return .end(.failure(error)) }
                }, result: result, failure: { $0 })
        }
    }
}
