extension NotificationCenter {
    /// The notifications of a name, from now on.
    /// - Parameters:
    ///   - name: their name.
    ///   - object: the sender of the notifications; nil for any.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// Notifications as they are posted. An iterator observes from its creation until it is released or its task ends.
    public final class Notifications: AsyncSequence, @unchecked Sendable {  // immutable
        /// The type of its elements.
        public typealias Element = Notification
        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: AnyObject?

        init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Starts to observe.
        public func makeAsyncIterator() -> Iterator {
            let (stream, source) = AsyncStream.makeStream(of: Posted.self, bufferingPolicy: .bufferingNewest(Self.kept))
            let observation = Observation(
                token: center.addObserver(forName: name, object: object, queue: nil) {
                    source.yield(Posted(notification: $0))
                }, center: center)
            source.onTermination = { _ in observation.end() }
            return Iterator(stream.makeAsyncIterator(), observation)
        }

        /// How many notifications wait for a slow loop; older ones are dropped.
        private static let kept = 1024

        /// One loop's notifications.
        public struct Iterator: AsyncIteratorProtocol {
            private var stream: AsyncStream<Posted>.Iterator
            private let observation: Observation

            fileprivate init(_ stream: AsyncStream<Posted>.Iterator, _ observation: Observation) {
                self.stream = stream
                self.observation = observation
            }

            /// The next notification; nil when the task is cancelled.
            public mutating func next() async -> Notification? { await stream.next()?.notification }
            /// The next notification; nil when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await stream.next(isolation: actor)?.notification
            }
        }
    }
}

/// A notification for one loop. As on iOS, the sender is responsible for its contents.
private struct Posted: @unchecked Sendable { let notification: Notification }

private final class Observation: @unchecked Sendable {  // immutable; the center has a lock of its own
    private let token: any NSObjectProtocol
    private let center: NotificationCenter

    init(token: any NSObjectProtocol, center: NotificationCenter) {
        self.token = token
        self.center = center
    }

    deinit { end() }
    func end() { center.removeObserver(token) }
}
