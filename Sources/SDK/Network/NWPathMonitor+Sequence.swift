extension NWPathMonitor: AsyncSequence {
    /// The path at the first step of a loop; the second waits until its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        /// A path.
        public typealias Element = NWPath
        fileprivate let monitor: NWPathMonitor
        private var hasBegun = false

        fileprivate init(_ monitor: NWPathMonitor) { self.monitor = monitor }

        /// The first path, and then nothing until the task is cancelled; nil when it is.
        public mutating func next() async -> NWPath? { await next(isolation: nil) }

        /// The first path, and then nothing until the task is cancelled; nil when it is.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NWPath? {
            guard hasBegun else {
                hasBegun = true
                return Task.isCancelled ? nil : monitor.currentPath
            }
            let (endless, source) = AsyncStream.makeStream(of: Never.self)
            for await _ in endless {}
            withExtendedLifetime(source) {}
            return nil
        }
    }

    /// A path.
    public typealias Element = NWPath

    /// Begins a loop, which needs no `start(queue:)`.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
