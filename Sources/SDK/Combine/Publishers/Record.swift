/// Sends recorded values and a recorded end.
public struct Record<Output, Failure: Error>: Publisher {
    /// Values and an end.
    public struct Recording {
        /// The values.
        public private(set) var output: [Output]
        /// The end.
        public private(set) var completion: Subscribers.Completion<Failure>

        /// One without values that finishes.
        public init() { self.init(output: []) }
        /// - Parameters:
        ///   - output: the values.
        ///   - completion: the end.
        public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
            self.output = output
            self.completion = completion
        }
        /// Adds a value.
        public mutating func receive(_ input: Output) { output.append(input) }
        /// Sets the end.
        public mutating func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }
    }

    /// What is sent.
    public let recording: Recording
    /// - Parameter record: records.
    public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.init(recording: recording)
    }
    /// - Parameter recording: what is sent.
    public init(recording: Recording) { self.recording = recording }
    /// - Parameters:
    ///   - output: the values.
    ///   - completion: the end.
    public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        self.init(recording: Recording(output: output, completion: completion))
    }
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.list(recording.output.makeIterator(), end: recording.completion)
    }
}
