import Control
import Linux
import TaskModel

/// One connection to a host's control socket, for one request after the other. Thread: the one that made it.
final class HostConnection {
    /// How a request ended.
    enum End {
        case whole
        /// The receiver of the body wants no more.
        case stopped
        /// The connection ended before the reply did, or this is not a reply; in words.
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
    private var room = [UInt8](repeating: 0, count: 64 << 10)
    private(set) var reply = ReplyReader()
    private var isFresh = true

    /// - Parameter path: the socket's.
    /// - Throws: EAGAIN when its queue stays full.
    init(_ path: String) throws(SystemError) {
        socket = try Descriptor.connect(to: path, within: Self.patience)
    }

    /// Whether another request may be sent: the last reply was whole, and the host has not left.
    var isUsable: Bool {
        guard isFresh || reply.isWhole && reply.keepsConnection && unsent.isEmpty else { return false }
        // Nothing is expected: readable data are the end, or a reply without a request.
        return !socket.isReady(.readable)
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

    /// Sends and reads as far as possible without waiting; how the request ended, once it has.
    ///
    /// - Parameter body: gets each piece of the body, valid for the call, with the header's values; false ends the request.
    func advance(_ body: (ArraySlice<UInt8>, ReplyReader) -> Bool) -> End? {
        while !unsent.isEmpty {
            do throws(SystemError) {
                unsent = unsent.dropFirst(try socket.sendAtOnce(unsent))
            } catch {
                // A host that wants no more may have sent the reason before it closed.
                if error.code != .EAGAIN { unsent = [] }
                break
            }
        }
        while true {
            let count: Int
            do throws(SystemError) {
                count = try socket.read(into: &room)
            } catch {
                return error.code == .EAGAIN ? nil : .lost("\(error.code)")
            }
            if count > 0 {
                guard reply.take(room[..<count], body) else { return .stopped }
                if reply.isBroken { return .lost("this is not HTTP") }
                if reply.isWhole { return .whole }
            } else {
                return reply.takeEnd() ? .whole : .lost("the connection ended before the reply")
            }
        }
    }

    /// Waits until the request can continue, one of the inputs can be read, or the time is over.
    ///
    /// - Parameter pause: nil: no limit.
    func wait(_ inputs: [Int32] = [], _ pause: TimeSpan?) -> Wake {
        let milliseconds = pause.map { Int32(clamping: max(0, $0.nanoseconds + 999_999) / 1_000_000) }
        let ready = Descriptor.ready(
            inputs + [socket.number], writable: unsent.isEmpty ? nil : socket.number, within: milliseconds)
        guard let ready else { return .timeout }
        let others = ready.filter { $0 != socket.number }
        return others.isEmpty ? .connection : .inputs(others)
    }
}
