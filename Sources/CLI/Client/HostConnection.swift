import CLinux
import Control
import Glibc
import Linux
import TaskModel

/// One connection to a host's control socket, for one request after the other. Thread: the one that made it.
final class HostConnection {
    /// How a request ended.
    enum End {
        case whole
        /// Whoever takes the body wants no more of it.
        case stopped
        /// The connection ended before the reply did, or this is no reply; in words.
        case lost(String)
    }

    enum Wake {
        case connection
        case inputs([Int32])
        case timeout
    }

    /// Milliseconds that a place in the host's queue is waited for: a host takes what waits in every turn of its loop.
    private static let patience: Int32 = 10_000

    private let socket: Descriptor
    private var unsent: ArraySlice<UInt8> = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private(set) var reply = ReplyReader()
    private var isFresh = true

    /// - Parameter path: the socket's.
    /// - Throws: EAGAIN when its queue stays full.
    init(_ path: String) throws(SystemError) {
        socket = Descriptor(adopting: try check(clinux_unix_connect_within(path, Self.patience), "connect", path))
    }

    deinit { buffer.deallocate() }

    /// Whether another request may be sent: the last reply was whole, and the host has not left.
    var isUsable: Bool {
        guard isFresh || reply.isWhole && reply.keepsConnection && unsent.isEmpty else { return false }
        var place = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        // Nothing is to come: what can be read is the end, or a reply that nobody asked for.
        return poll(&place, 1, 0) == 0
    }

    /// Begins a request; `advance` does it.
    func ask(_ request: ControlRequest) {
        var text =
            "\(request.method.rawValue) \(RequestTarget.text(path: request.path, query: request.query)) HTTP/1.1\r\n"
            + "Host: localhost\r\n"
        if !request.body.isEmpty {
            text += "Content-Type: application/json\r\nContent-Length: \(request.body.count)\r\n"
        }
        unsent = (Array((text + "\r\n").utf8) + request.body)[...]
        reply = ReplyReader()
        isFresh = false
    }

    /// Sends and reads as far as it goes without waiting; how the request ended, once it has.
    ///
    /// - Parameter body: gets each piece of the body, valid for the call, with what the header said; false ends the request.
    func advance(_ body: (UnsafeRawBufferPointer, ReplyReader) -> Bool) -> End? {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                unsent = unsent.dropFirst(count)
            } else if errno != EINTR {
                // A host that wants no more may have said why before it closed.
                if errno != EAGAIN { unsent = [] }
                break
            }
        }
        while true {
            let count = recv(socket.number, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                guard reply.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), body) else { return .stopped }
                if reply.isBroken { return .lost("this is no HTTP") }
                if reply.isWhole { return .whole }
            } else if count == 0 {
                return reply.takeEnd() ? .whole : .lost("the connection ended before the reply")
            } else if errno == EAGAIN {
                return nil
            } else if errno != EINTR {
                return .lost(Errno(errno).description)
            }
        }
    }

    /// Waits until the request can go on, one of the inputs can be read, or the time is over.
    ///
    /// - Parameter pause: nil: no limit.
    func wait(_ inputs: [Int32] = [], _ pause: TimeSpan?) -> Wake {
        var places = inputs.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        places.append(pollfd(fd: socket.number, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0))
        let milliseconds = pause.map { Int32(clamping: max(0, $0.nanoseconds + 999_999) / 1_000_000) } ?? -1
        let count = poll(&places, nfds_t(places.count), milliseconds)
        let ready = places.dropLast().filter { $0.revents != 0 }.map(\.fd)
        if count > 0, !ready.isEmpty { return .inputs(ready) }
        return count == 0 ? .timeout : .connection
    }
}
