/// Arrays of so many values; the last one may be shorter.
final class Grouping<Input, Failure: Error>: Outlet<[Input], Failure>, @unchecked Sendable {  // `state` is guarded
    private struct State {
        var group: [Input] = []
        var groups = Fifo<[Input]>()
        var end: Subscribers.Completion<Failure>?

        mutating func complete() {
            groups.append(group)
            group = []
        }
    }
    private let state = Guarded(State())
    private let inlet = Inlet<Input, Failure>()
    private let size: Int

    init(_ subscriber: AnySubscriber<[Input], Failure>, size: Int) {
        self.size = size
        super.init(subscriber)
    }

    func group<P: Publisher>(_ publisher: P) where P.Output == Input, P.Failure == Failure {
        open()
        inlet.open(publisher) { [self] value in
            state.change { state in
                state.group.append(value)
                if state.group.count == size { state.complete() }
            }
            hand()
            return .none
        } ended: { [self] end in
            state.change { state in
                if end.isFinished, !state.group.isEmpty { state.complete() }
                state.end = end
            }
            hand()
        }
    }

    override func requested(_ demand: Subscribers.Demand) { inlet.request(demand * size) }

    override func next(canSend: Bool) -> Step {
        state.change { state in
            if canSend, let group = state.groups.pop() { return .value(group) }
            guard state.groups.isEmpty, let end = state.end else { return .nothing }
            return .end(end)
        }
    }

    override func released() {
        inlet.cancel()
        state.change { $0 = State() }
    }
}

extension Subscribers.Completion {
    var isFinished: Bool {
        switch self {
        case .finished: true
        case .failure: false
        }
    }
}

extension Publisher {
    /// Arrays of so many values; the last one, at the end, may be shorter. A failure drops what is not yet an array.
    /// - Parameter count: the size of an array, at least 1.
    public func collect(_ count: Int) -> AnyPublisher<[Output], Failure> {
        precondition(count > 0, "collect(_:) needs room for a value")
        return AnyPublisher { Grouping($0, size: count).group(self) }
    }
}
