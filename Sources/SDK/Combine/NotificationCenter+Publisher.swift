import TaskHostFoundation

extension NotificationCenter {
    /// Sends the notifications of a name, on the thread that posts them.
    public struct Publisher: Combine.Publisher {
        /// A notification.
        public typealias Output = Notification
        /// It does not fail.
        public typealias Failure = Never
        /// Where they are posted.
        public let center: NotificationCenter
        /// Their name.
        public let name: Notification.Name
        /// The sender of the notifications; nil for any.
        public let object: AnyObject?

        /// - Parameters:
        ///   - center: where they are posted.
        ///   - name: their name.
        ///   - object: the sender of the notifications; nil for any.
        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Observes from when a subscriber is attached until it cancels.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            subscriber.receive(subscription: Observation(self, AnySubscriber(subscriber)))
        }
    }

    /// The notifications of a name.
    /// - Parameters:
    ///   - name: their name.
    ///   - object: the sender of the notifications; nil for any.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }
}

/// One subscriber's observation; notifications beyond its demand are dropped.
private final class Observation: Subscription, @unchecked Sendable {  // `demand` and `token` are guarded
    private let center: NotificationCenter
    private let demand = Guarded(Subscribers.Demand.none)
    private let token = Guarded<(any NSObjectProtocol)?>(nil)

    init(_ publisher: NotificationCenter.Publisher, _ subscriber: AnySubscriber<Notification, Never>) {
        center = publisher.center
        let demand = demand
        let observer = Observer(subscriber: subscriber)
        let new = center.addObserver(forName: publisher.name, object: publisher.object, queue: nil) { notification in
            guard demand.change({ $0.take() }) else { return }
            let more = observer.subscriber.receive(notification)
            demand.change { $0 += more }
        }
        token.change { $0 = new }
    }

    deinit { cancel() }

    func request(_ demand: Subscribers.Demand) { self.demand.change { $0 += demand } }

    func cancel() {
        let token = token.change { token in
            defer { token = nil }
            return token
        }
        if let token { center.removeObserver(token) }
    }
}

/// Called on the posting thread, as on iOS.
private struct Observer: @unchecked Sendable { let subscriber: AnySubscriber<Notification, Never> }
