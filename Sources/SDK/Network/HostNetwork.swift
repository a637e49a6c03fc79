internal import CTaskHost
internal import Synchronization
internal import TaskHostRuntime

/// The machine's network, as the host sees it: it reports each change to a process that has asked once.
enum HostNetwork {
    private struct State {
        /// nil: the host has not been asked.
        var isTold: Bool?
        /// `TASKHOST_NETWORK_…`; nil: the host has not said it yet.
        var network: UInt32?
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }
    private static let state = Mutex(State())

    /// `TASKHOST_NETWORK_…`, unknown without a host that tells.
    static var network: UInt32 { state.withLock { $0.network } ?? TASKHOST_NETWORK_UNKNOWN }

    /// Calls the listener as soon as the network is known, and after each change, until it is removed. On any thread.
    static func add(_ listener: @escaping @Sendable () -> Void, of owner: ObjectIdentifier) {
        let isFirst = state.withLock { state in
            state.listeners[owner] = listener
            defer { state.isTold = state.isTold ?? false }
            return state.isTold == nil
        }
        if isFirst {
            let isTold = ConnectedHost.current?.watchNetwork { HostNetwork.changed($0) } ?? false
            state.withLock { $0.isTold = isTold }
        }
        // Otherwise the host's first answer is on its way, and the listener is called for it.
        if state.withLock({ $0.isTold != true || $0.network != nil }) { listener() }
    }

    static func remove(_ owner: ObjectIdentifier) { state.withLock { $0.listeners[owner] = nil } }

    private static func changed(_ network: UInt32) {
        let listeners = state.withLock { state in
            state.network = network
            return Array(state.listeners.values)
        }
        for listener in listeners { listener() }
    }
}
