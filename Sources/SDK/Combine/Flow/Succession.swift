/// The values of one publisher after another. What was asked for and has not come is asked of the next one.
final class Succession<Output, Failure: Error>: Outlet<Output, Failure>, @unchecked Sendable {  // `line` is guarded
    private struct Line {
        /// The present publisher.
        var current: (any Cancellable)?
        var ask: ((Subscribers.Demand) -> Void)?
        /// Counts the publishers.
        var number = 0
        /// What it was asked for and has not given.
        var owed = Subscribers.Demand.none
        var values = Fifo<Output>()
        var end: Subscribers.Completion<Failure>?
        /// Other upstreams, cancelled with this.
        var kept: [any Cancellable] = []
        var isReleased = false
    }
    private let line = Guarded(Line())

    /// Takes the values of a publisher from now on.
    /// - Parameters:
    ///   - isLatest: whether what is left of the publisher before is dropped.
    ///   - ended: gets its end; it follows another or ends this.
    func follow<P: Publisher>(
        _ publisher: P, isLatest: Bool = false, ended: @escaping (Subscribers.Completion<P.Failure>) -> Void
    ) where P.Output == Output {
        let inlet = Inlet<Output, P.Failure>()
        let (number, owed, old) = line.change { line in
            let old = line.current
            line.number += 1
            if isLatest {
                line.owed += .max(line.values.count)
                line.values = Fifo()
            }
            line.current = line.isReleased ? nil : inlet
            line.ask = { inlet.request($0) }
            return (line.isReleased ? nil : line.number, line.owed, old)
        }
        old?.cancel()
        guard let number else { return }
        inlet.request(owed)
        inlet.open(publisher, { [self] in receive($0, from: number) }, ended: ended)
    }

    /// Ends after the values that are there.
    func end(_ completion: Subscribers.Completion<Failure>) {
        line.change { $0.end = $0.end ?? completion }
        hand()
    }

    /// Cancels something with this.
    func keep(_ upstream: any Cancellable) {
        let isLate = line.change { line in
            if !line.isReleased { line.kept.append(upstream) }
            return line.isReleased
        }
        if isLate { upstream.cancel() }
    }

    override func requested(_ demand: Subscribers.Demand) {
        let ask = line.change { line in
            line.owed += demand
            return line.ask
        }
        ask?(demand)
    }

    override func next(canSend: Bool) -> Step {
        line.change { line in
            if canSend, let value = line.values.pop() { return .value(value) }
            guard line.values.isEmpty, let end = line.end else { return .nothing }
            return .end(end)
        }
    }

    override func released() {
        let old = line.change { line in
            defer { line = Line(isReleased: true) }
            return line
        }
        old.current?.cancel()
        for upstream in old.kept { upstream.cancel() }
    }

    private func receive(_ value: Output, from number: Int) -> Subscribers.Demand {
        line.change { line in
            guard line.number == number, line.end == nil, line.owed.take() else { return }
            line.values.append(value)
        }
        hand()
        return .none
    }
}

extension AnyPublisher {
    /// - Parameter start: follows the first publisher.
    init(succession start: @escaping (Succession<Output, Failure>) -> Void) {
        self.init { next in
            let line = Succession(next)
            line.open()
            start(line)
        }
    }
}
