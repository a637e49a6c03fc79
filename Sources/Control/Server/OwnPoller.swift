import CLinux
import Linux

/// The server's own epoll set: listeners, which may have to rest, and connections of which only the hang-up counts.
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

    private let descriptor: Descriptor
    var number: Int32 { descriptor.number }

    init() throws(SystemError) { descriptor = Descriptor(adopting: try check(clinux_epoll_create(), "epoll_create1")) }

    /// Looks for whatever comes.
    func add(_ fd: Int32, _ source: Source) throws(SystemError) {
        try check(clinux_epoll_add(number, fd, CLINUX_IN, source.key), "epoll_ctl")
    }

    /// Looks for the end of a connection alone: of both directions, or also of what the peer sends.
    func addHangUp(_ fd: Int32, _ source: Source, halfClosed: Bool) -> Bool {
        clinux_epoll_add(number, fd, halfClosed ? CLINUX_RDHUP : 0, source.key) == 0
    }

    func setListening(_ fd: Int32, _ source: Source, _ on: Bool) {
        _ = clinux_epoll_modify(number, fd, on ? CLINUX_IN : 0, source.key)  // fails for a closed listener only
    }

    func remove(_ fd: Int32) { _ = clinux_epoll_remove(number, fd) }

    /// What is ready now.
    func ready() -> [Source] {
        withUnsafeTemporaryAllocation(of: clinux_event_t.self, capacity: 64) { events in
            let count = clinux_epoll_wait(number, events.baseAddress, Int32(events.count), 0)
            return (0..<max(0, Int(count))).map { Source(key: events[$0].key) }
        }
    }
}
