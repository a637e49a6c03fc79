/// Sends nothing before it is connected.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts, for all subscribers.
    /// - Returns: ends it for all.
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    /// Connects with the first subscriber, and ends the connection when none is left.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
    /// Connects with the first subscriber, and ends the connection when none is left. Its copies share the connection.
    public struct Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        /// That of the upstream.
        public typealias Output = Upstream.Output
        /// That of the upstream.
        public typealias Failure = Upstream.Failure
        private struct Shared {
            var subscribers = 0
            var connection: (any Cancellable)?
        }
        /// What is connected.
        public let upstream: Upstream
        private let shared = Guarded(Shared())
        /// - Parameter upstream: what is connected.
        public init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches a subscriber, and connects if it is the only one.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let leave = AnyCancellable { [shared] in
                let connection = shared.change { shared -> (any Cancellable)? in
                    shared.subscribers -= 1
                    guard shared.subscribers == 0 else { return nil }
                    defer { shared.connection = nil }
                    return shared.connection
                }
                connection?.cancel()
            }
            let isFirst = shared.change { shared in
                shared.subscribers += 1
                return shared.subscribers == 1
            }
            upstream.handleEvents(receiveCompletion: { _ in leave.cancel() }, receiveCancel: { leave.cancel() })
                .receive(subscriber: subscriber)
            guard isFirst else { return }
            let connection = upstream.connect()
            let isLate = shared.change { shared in
                if shared.subscribers > 0 { shared.connection = connection }
                return shared.subscribers == 0
            }
            if isLate { connection.cancel() }
        }
    }
}
