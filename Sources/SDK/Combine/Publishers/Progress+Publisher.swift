import TaskHostFoundation

extension NSObject {
    /// Sends a value of a progress when it has changed, on the thread that has changed it.
    public struct KeyValueObservingPublisher<Subject: Progress, Value>: Combine.Publisher {
        /// The value.
        public typealias Output = Value
        /// It does not fail.
        public typealias Failure = Never
        /// The progress.
        public let object: Subject
        /// Its value.
        public let keyPath: KeyPath<Subject, Value>
        /// With `initial` the present value comes first.
        public let options: NSKeyValueObservingOptions

        /// - Parameters:
        ///   - object: the progress.
        ///   - keyPath: its value.
        ///   - options: with `initial` the present value comes first.
        public init(object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions) {
            self.object = object
            self.keyPath = keyPath
            self.options = options
        }

        /// Observes from when a subscriber is attached until it cancels, and keeps the progress until then. Of the values beyond
        /// its demand it gets the newest one later on, with the option `initial`, and none without it.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            let (object, keyPath) = (object, keyPath)
            let seat = Seat<Value, Never>(
                AnySubscriber(subscriber), current: options.contains(.initial) ? { object[keyPath: keyPath] } : nil)
            let observation = object.observe(keyPath, options: .new) { [weak seat] _, change in
                if let value = change.newValue { seat?.offer(value) }
            }
            seat.leave = { _ in observation.invalidate() }
            subscriber.receive(subscription: seat)
        }
    }
}

extension NSObject.KeyValueObservingPublisher: Equatable {
    /// Whether both observe the same value of the same progress, with the same options.
    public static func == (left: Self, right: Self) -> Bool {
        left.object === right.object && left.keyPath == right.keyPath && left.options == right.options
    }
}

extension ProgressObserving where Self: Progress {
    /// The values that a property has from now on: the present one, and each after a change, as `observe` is told of it.
    /// - Parameters:
    ///   - keyPath: what to observe.
    ///   - options: with `initial` the present value comes first.
    public func publisher<Value>(
        for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
        NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options)
    }
}
