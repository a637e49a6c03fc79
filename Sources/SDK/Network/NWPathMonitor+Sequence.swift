extension NWPathMonitor: AsyncSequence {
    /// The path at the first step of a loop, and then each that differs from the one before; it ends when its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        /// A path.
        public typealias Element = NWPath
        private var paths: AsyncStream<NWPath>.Iterator
        private let source: AnyObject

        fileprivate init(_ monitor: NWPathMonitor) {
            let (stream, news) = AsyncStream.makeStream(of: NWPath.self, bufferingPolicy: .bufferingNewest(1))
            paths = stream.makeAsyncIterator()
            source = monitor.paths { news.yield($0) }
        }

        /// The next path; nil when the task is cancelled.
        public mutating func next() async -> NWPath? { await next(isolation: nil) }

        /// The next path; nil when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NWPath? {
            await paths.next(isolation: actor)
        }
    }

    /// A path.
    public typealias Element = NWPath

    /// Begins a loop, which needs no `start(queue:)`.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
