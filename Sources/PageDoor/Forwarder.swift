import Control
import Linux
import TaskModel

/// The requests that are under way to the daemon, as a source of the proxy's loop.
final class Forwarder: EventSource {
    /// Until a reply begins; a host answers within a turn of its loop, except where it has to wait for something.
    private static let patience = TimeSpan.seconds(60)

    /// Bytes of a reply that is wanted whole.
    static let wholeBytes = 64 << 20

    private let daemon: DaemonPlace
    private weak var registry: (any SourceRegistry)?
    /// By tag. A tag is not used again soon, so that a report from before the end of its connection is ignored.
    private var forwardings: [UInt32: Forwarding] = [:]
    private var next: UInt32 = 0

    init(_ daemon: DaemonPlace) { self.daemon = daemon }

    /// For a client: the reply's body goes on to it as it comes.
    func forward(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        send(request, whole: nil, answer: answer)
    }

    /// For this process itself: the reply comes with its whole body.
    func ask(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        send(request, whole: Self.wholeBytes, answer: answer)
    }

    private func send(_ request: ControlRequest, whole: Int?, answer: @escaping (ControlReply) -> Void) {
        do throws(Problem) {
            let socket = try daemon.connect()
            let tag = next
            next = next &+ 1
            let forwarding = Forwarding(
                request, over: socket, folder: daemon.folder, deadline: Clock.moment().instant + Self.patience,
                whole: whole, answer: answer)
            forwardings[tag] = forwarding
            advance(forwarding, tag)
        } catch {
            answer(.problem(error))
        }
    }

    private func advance(_ forwarding: Forwarding, _ tag: UInt32) {
        let hadFlow = forwarding.flow != nil
        forwarding.advance()
        if !hadFlow, let flow = forwarding.flow {
            flow.hasRoom = { [weak self] in self?.advance(tag) }
            let close = flow.didClose
            flow.didClose = { [weak self] in
                close?()
                self?.advance(tag)
            }
        }
        switch forwarding.state {
        case .sending, .reading:
            guard watch(forwarding, tag) else { return remove(tag) }
            registry?.setWritable(forwarding.number, forwarding.state == .sending, tag: tag)
        // Not watched at all: the daemon's hang-up would be reported over and over.
        case .full: unwatch(forwarding)
        case .over: remove(tag)
        }
    }

    private func watch(_ forwarding: Forwarding, _ tag: UInt32) -> Bool {
        guard !forwarding.isWatched, let registry else { return true }
        do throws(SystemError) {
            try registry.add(forwarding.number, tag: tag, urgent: false)
            forwarding.isWatched = true
        } catch {
            forwarding.lose("\(error)")
        }
        return forwarding.isWatched
    }

    private func unwatch(_ forwarding: Forwarding) {
        guard forwarding.isWatched else { return }
        forwarding.isWatched = false
        registry?.remove(forwarding.number)
    }

    private func advance(_ tag: UInt32) {
        if let forwarding = forwardings[tag] { advance(forwarding, tag) }
    }

    private func remove(_ tag: UInt32) {
        if let forwarding = forwardings.removeValue(forKey: tag) { unwatch(forwarding) }
    }

    // MARK: EventSource

    func attach(to registry: any SourceRegistry) { self.registry = registry }

    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) { advance(tag) }

    var nextDeadline: Instant { forwardings.values.map(\.deadline).min() ?? .distantFuture }

    func advance(to now: ClockReading) {
        for (tag, forwarding) in forwardings where forwarding.deadline <= now.instant {
            forwarding.lose("it does not answer")
            remove(tag)
        }
    }

    func close() {
        for (tag, forwarding) in forwardings {
            forwarding.lose("the proxy is ending")
            remove(tag)
        }
        registry = nil
    }
}
