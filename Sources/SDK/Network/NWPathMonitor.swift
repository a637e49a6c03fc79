internal import Synchronization

/// Tells of the machine's way to other machines: once, when it is started. A worker does not hear of changes, which the
/// kernel announces on sockets that are closed to it; `currentPath` is read anew each time. A run that needs the
/// network ends as expired when that is lost, if its task says so in the manifest.
public final class NWPathMonitor: Sendable {
    private enum Stage: Sendable { case new, started, cancelled }
    private struct State: Sendable {
        var stage = Stage.new
        var queue: DispatchQueue?
        var handler: (@Sendable (NWPath) -> Void)?
    }

    private let state = Mutex(State())
    private let isAllowed: @Sendable (NWInterface.InterfaceType) -> Bool

    /// Looks at all interfaces.
    public init() { isAllowed = { _ in true } }

    /// - Parameter requiredInterfaceType: the only kind of interface that counts.
    public init(requiredInterfaceType: NWInterface.InterfaceType) { isAllowed = { $0 == requiredInterfaceType } }

    /// - Parameter prohibitedInterfaceTypes: the kinds of interfaces that do not count.
    public init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
        isAllowed = { !prohibitedInterfaceTypes.contains($0) }
    }

    /// The path, as the kernel's tables have it now.
    public var currentPath: NWPath { RouteTable.read().path(isAllowed) }

    /// The queue that it was started on.
    public var queue: DispatchQueue? { state.withLock { $0.queue } }

    /// Is called with the first path. It is also called if it is set after the start.
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            let queue = state.withLock { state in
                state.handler = newValue
                return state.stage == .started ? state.queue : nil
            }
            if let queue { update(on: queue) }
        }
    }

    /// Starts it. A second start, and one after `cancel()`, does nothing.
    /// - Parameter queue: where the handler is called.
    public func start(queue: DispatchQueue) {
        let isFirst = state.withLock { state in
            guard state.stage == .new else { return false }
            (state.stage, state.queue) = (.started, queue)
            return true
        }
        if isFirst { update(on: queue) }
    }

    /// Ends it for good: the handler is not called any more.
    public func cancel() { state.withLock { ($0.stage, $0.handler) = (.cancelled, nil) } }

    private func update(on queue: DispatchQueue) {
        queue.async { [self] in
            let handler = state.withLock { $0.stage == .started ? $0.handler : nil }
            handler?(currentPath)
        }
    }
}
