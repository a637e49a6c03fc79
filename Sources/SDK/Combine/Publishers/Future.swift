/// Sends the one value of a closure, or its failure, to every subscriber. The closure is called once, when this is created.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {  // `state` is guarded
    /// Takes the result; the first one counts.
    public typealias Promise = (Result<Output, Failure>) -> Void

    private struct State {
        var result: Result<Output, Failure>?
        var waiting: [Promised<Output, Failure>] = []
    }
    private let state = Guarded(State())

    /// - Parameter attemptToFulfill: starts the work, and calls the promise on any thread.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { result in self.settle(result) }
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Promised(AnySubscriber(subscriber)) { [weak self] outlet in
            self?.state.change { $0.waiting.removeAll { $0 === outlet } }
        }
        outlet.open()
        let result = state.change { state in
            if state.result == nil, outlet.isOpen { state.waiting.append(outlet) }
            return state.result
        }
        if let result { outlet.settle(result) }
    }

    private func settle(_ result: Result<Output, Failure>) {
        let waiting = state.change { state in
            guard state.result == nil else { return [Promised<Output, Failure>]() }
            state.result = result
            defer { state.waiting = [] }
            return state.waiting
        }
        for outlet in waiting { outlet.settle(result) }
    }
}

extension Future where Failure == Never {
    /// The value, when it is there.
    public var value: Output {
        get async {
            await withCheckedContinuation { continuation in
                receive(
                    subscriber: AnySubscriber(
                        receiveSubscription: { $0.request(.max(1)) },
                        receiveValue: { value in
                            continuation.resume(returning: Moved(value: value).value)
                            return .none
                        }))
            }
        }
    }
}

extension Future {
    /// The value when it is there, or the failure.
    public var value: Output {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                receive(
                    subscriber: AnySubscriber(
                        receiveSubscription: { $0.request(.max(1)) },
                        receiveValue: { value in
                            continuation.resume(returning: Moved(value: value).value)
                            return .none
                        },
                        receiveCompletion: { end in
                            if case .failure(let error) = end { continuation.resume(throwing: error) }
                        }))
            }
        }
    }
}

/// Handed to one other place.
struct Moved<Value>: @unchecked Sendable { let value: Value }

/// One subscriber of a future.
private final class Promised<Output, Failure: Error>: Outlet<Output, Failure>, @unchecked Sendable {  // guarded
    private let result = Guarded<Result<Output, Failure>?>(nil)
    private let isSent = Guarded(false)
    private let left: (Promised) -> Void

    init(_ subscriber: AnySubscriber<Output, Failure>, left: @escaping (Promised) -> Void) {
        self.left = left
        super.init(subscriber)
    }

    func settle(_ result: Result<Output, Failure>) {
        self.result.change { $0 = result }
        hand()
    }

    override func next(canSend: Bool) -> Step {
        switch result.value {
        case nil: return .nothing
        case .failure(let error): return .end(.failure(error))
        case .success(let value):
            if isSent.value { return .end(.finished) }
            guard canSend else { return .nothing }
            isSent.change { $0 = true }
            return .value(value)
        }
    }

    override func released() { left(self) }
}
