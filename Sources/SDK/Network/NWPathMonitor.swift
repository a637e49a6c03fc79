internal import Synchronization

/// Tells of the machine's way to other machines: when it is started, and after each change that the host sees
/// (`taskhost conditions`). Under a host that does not serve, such as `taskhost run` and a test's, it tells once; `currentPath` is
/// read anew each time. A run that needs the network ends as expired when that is lost, if its task says so in the manifest.
public final class NWPathMonitor: Sendable {
    private enum Stage: Sendable { case new, started, cancelled }
    private struct State: Sendable {
        var stage = Stage.new
        var queue: DispatchQueue?
        var handler: (@Sendable (NWPath) -> Void)?
        /// The path that the handler was called with; nil: none.
        var told: NWPath?
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

    deinit { HostNetwork.remove(ObjectIdentifier(self)) }

    /// The path, as the kernel's tables and the host have it now.
    public var currentPath: NWPath { RouteTable.read().path(network: HostNetwork.network, isAllowed) }

    /// The queue that it was started on.
    public var queue: DispatchQueue? { state.withLock { $0.queue } }

    /// Is called with the first path, and with each that differs from the one before. It is also called if it is set after the
    /// start.
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            let hasPath = state.withLock { state in
                state.handler = newValue
                defer { state.told = nil }
                return state.told != nil
            }
            if hasPath { update() }
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
        if isFirst { HostNetwork.add({ [weak self] in self?.update() }, of: ObjectIdentifier(self)) }
    }

    /// Ends it for good: the handler is not called any more.
    public func cancel() {
        state.withLock { ($0.stage, $0.handler) = (.cancelled, nil) }
        HostNetwork.remove(ObjectIdentifier(self))
    }

    /// Calls the handler on its queue, unless the path is as it was.
    private func update() {
        state.withLock { $0.queue }?.async { [self] in
            let path = currentPath
            let handler = state.withLock { state -> (@Sendable (NWPath) -> Void)? in
                guard state.stage == .started, state.told != path else { return nil }
                state.told = path
                return state.handler
            }
            handler?(path)
        }
    }

    /// Calls `body` with the first path and each that differs from the one before, until the returned object is released.
    func paths(_ body: @escaping @Sendable (NWPath) -> Void) -> AnyObject {
        let monitor = NWPathMonitor(isAllowed)
        monitor.pathUpdateHandler = body
        monitor.start(queue: DispatchQueue(label: "org.taskhost.paths"))
        return monitor
    }

    private init(_ isAllowed: @escaping @Sendable (NWInterface.InterfaceType) -> Bool) { self.isAllowed = isAllowed }
}
