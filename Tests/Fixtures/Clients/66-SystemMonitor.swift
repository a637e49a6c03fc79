// Runs in ClientNames.
import Foundation
import Network
import os.log

/// Whether there is a network, for those who ask and for those who observe.
final class NetworkMonitor: @unchecked Sendable {
    enum Connection: String { case none, wifi, cellular, wired, other }

    static let shared = NetworkMonitor()
    static let changed = Notification.Name("NetworkMonitorChanged")
    private let monitor: NWPathMonitor
    private let queue = DispatchQueue(label: "com.example.network", qos: .utility)
    private let lock = NSLock()
    private var known = Connection.none
    var connection: Connection { lock.withLock { known } }
    var isReachable: Bool { connection != .none }

    init(monitor: NWPathMonitor = NWPathMonitor()) { self.monitor = monitor }

    func start(_ handler: (@Sendable (Connection) -> Void)? = nil) {
        monitor.pathUpdateHandler = { [weak self] path in
            guard let self else { return }
            let connection = Self.connection(of: path)
            lock.withLock { self.known = connection }
            NotificationCenter.default.post(name: Self.changed, object: self)
            handler?(connection)
        }
        monitor.start(queue: queue)
    }

    func stop() { monitor.cancel() }

    static func connection(of path: NWPath) -> Connection {
        guard path.status == .satisfied else { return .none }
        if path.usesInterfaceType(.wifi) { return .wifi }
        if path.usesInterfaceType(.cellular) { return .cellular }
        return path.usesInterfaceType(.wiredEthernet) ? .wired : .other
    }
}

/// Frees what can be loaded again when memory becomes scarce.
final class MemoryWatch {
    private let source: DispatchSourceMemoryPressure
    private let log = OSLog(subsystem: "com.example.monitor", category: "memory")

    init(queue: DispatchQueue, free: @escaping () -> Void) {
        source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: queue)
        source.setEventHandler { [log, source] in
            os_log("memory is scarce: %{public}d", log: log, type: .info, Int(source.data.rawValue))
            free()
        }
        source.resume()
    }

    func stop(_ done: @escaping @Sendable () -> Void) {
        source.setCancelHandler { done() }
        source.cancel()
    }
}

@MainActor
func trySystemMonitor() async {
    let logger = Logger(subsystem: "com.example.monitor", category: "network")
    let network = NetworkMonitor.shared
    let posted = NotificationCenter.default.notifications(named: NetworkMonitor.changed, object: network)
    let first = await withCheckedContinuation { continuation in
        network.start { continuation.resume(returning: $0) }
    }
    logger.notice("connected by \(first.rawValue, privacy: .public)")
    precondition(network.connection == first && network.isReachable == (first != .none))
    _ = posted
    network.stop()
    precondition(NetworkMonitor.connection(of: NWPathMonitor().currentPath) == first)

    let watch = MemoryWatch(queue: .main) { preconditionFailure("nothing is scarce") }
    await withCheckedContinuation { continuation in watch.stop { continuation.resume() } }
}
