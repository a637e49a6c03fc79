extension Publisher {
    /// Calls closures as things happen, before they are passed on.
    /// - Parameters:
    ///   - receiveSubscription: when a subscriber is attached.
    ///   - receiveOutput: for each value.
    ///   - receiveCompletion: at the end.
    ///   - receiveCancel: when the subscriber cancels.
    ///   - receiveRequest: when the subscriber asks for values, also with what it answers to one if that is not `none`.
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { next in
            self.receive(
                subscriber: AnySubscriber(
                    receiveSubscription: { upstream in
                        receiveSubscription?(upstream)
                        next.receive(
                            subscription: Watched(upstream, requested: receiveRequest, cancelled: receiveCancel))
                    },
                    receiveValue: { value in
                        receiveOutput?(value)
                        let more = next.receive(value)
                        if more > .none { receiveRequest?(more) }
                        return more
                    },
                    receiveCompletion: { end in
                        receiveCompletion?(end)
                        next.receive(completion: end)
                    }))
        }
    }

    /// Prints what happens, a line each.
    /// - Parameters:
    ///   - prefix: what each line starts with.
    ///   - stream: where it is printed; nil for standard output.
    public func print(
        _ prefix: String = "", to stream: (any TextOutputStream)? = nil
    ) -> AnyPublisher<Output, Failure> {
        let start = prefix.isEmpty ? "" : prefix + ": "
        let stream = Guarded(stream)
        let say = { (line: String) in
            stream.change { stream in
                if stream == nil { Swift.print(start + line) } else { stream?.write(start + line + "\n") }
            }
        }
        return handleEvents(
            receiveSubscription: { say("receive subscription: (\($0))") },
            receiveOutput: { say("receive value: (\($0))") },
            receiveCompletion: { end in
                switch end {
                case .finished: say("receive finished")
                case .failure(let error): say("receive error: (\(error))")
                }
            }, receiveCancel: { say("receive cancel") }, receiveRequest: { say("request \($0)") })
    }
}

/// A subscription that says what is asked of it.
private final class Watched: Subscription, @unchecked Sendable {  // `upstream` is guarded
    private let upstream: Guarded<(any Subscription)?>
    private let requested: ((Subscribers.Demand) -> Void)?
    private let cancelled: (() -> Void)?

    init(_ upstream: any Subscription, requested: ((Subscribers.Demand) -> Void)?, cancelled: (() -> Void)?) {
        self.upstream = Guarded(upstream)
        self.requested = requested
        self.cancelled = cancelled
    }

    func request(_ demand: Subscribers.Demand) {
        guard let upstream = upstream.value else { return }
        requested?(demand)
        upstream.request(demand)
    }

    func cancel() {
        let old = upstream.change { upstream in
            defer { upstream = nil }
            return upstream
        }
        guard let old else { return }
        cancelled?()
        old.cancel()
    }
}
