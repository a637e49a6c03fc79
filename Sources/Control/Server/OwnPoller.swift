import Linux
import TaskModel

/// The server's own epoll set: listeners, which may have to pause, and connections that are only watched for a hang-up.
final class OwnPoller {
    enum Source: Equatable {
        case listener(Int)
        case connection(Int32)

        fileprivate var key: UInt64 {
            switch self {
            case .listener(let index): UInt64(index)
            case .connection(let descriptor): 1 << 32 | UInt64(UInt32(bitPattern: descriptor))
            }
        }

        fileprivate init(key: UInt64) {
            let low = UInt32(truncatingIfNeeded: key)
            self = key >> 32 == 0 ? .listener(Int(low)) : .connection(Int32(bitPattern: low))
        }
    }

    private let poller: Poller
    var number: Int32 { poller.number }

    init() throws(SystemError) { poller = try Poller() }

    /// Watches for all events.
    func add(_ fd: Int32, _ source: Source) throws(SystemError) {
        try poller.add(fd, key: source.key)
    }

    /// Watches only for the end of a connection: of both directions, or also of the peer's data.
    func addHangUp(_ fd: Int32, _ source: Source, halfClosed: Bool) -> Bool {
        (try? poller.addHangUp(fd, key: source.key, halfClosed: halfClosed)) != nil
    }

    func setListening(_ fd: Int32, _ source: Source, _ on: Bool) {
        poller.setReadable(fd, on, key: source.key)
    }

    func remove(_ fd: Int32) { poller.remove(fd) }

    /// The sources that are ready now.
    func ready() -> [Source] {
        let now = Instant(nanoseconds: 0)
        let count = (try? poller.wait(until: now, now: now)) ?? 0
        return (0..<count).map { Source(key: poller[$0].key) }
    }
}
