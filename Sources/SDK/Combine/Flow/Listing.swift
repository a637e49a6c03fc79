/// Gives the values of a list as they are asked for, and then an end.
final class Listing<Output, Failure: Error>: Outlet<Output, Failure>, @unchecked Sendable {
    // Both are used in `next` alone: by one thread at a time.
    private var rest: (() -> Output?)?
    private var upcoming: Output?
    private let end: Subscribers.Completion<Failure>

    init(
        _ subscriber: AnySubscriber<Output, Failure>, _ rest: @escaping () -> Output?,
        end: Subscribers.Completion<Failure>
    ) {
        self.rest = rest
        self.end = end
        super.init(subscriber)
    }

    override func next(canSend: Bool) -> Step {
        look()
        guard upcoming != nil else { return .end(end) }
        guard canSend, let value = upcoming else { return .nothing }
        upcoming = nil
        return .value(value)
    }

    /// The end comes with the last value: whether there is another is known in advance.
    private func look() {
        guard upcoming == nil else { return }
        upcoming = rest?()
        if upcoming == nil { rest = nil }
    }
}

extension Subscriber {
    /// Gives this the values of an iterator, and an end.
    func list<I: IteratorProtocol>(_ values: I, end: Subscribers.Completion<Failure> = .finished)
    where I.Element == Input {
        var values = values
        let listing = Listing(AnySubscriber(self), { values.next() }, end: end)
        listing.open()
        listing.hand()
    }
}
