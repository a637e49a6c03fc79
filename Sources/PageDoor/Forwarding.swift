import Control
import Linux
import TaskModel

/// One request on its way to the daemon, and its reply on the way back, on a connection of its own. Neither direction waits.
///
/// Nothing is read from the daemon while the client's buffer is full: a slow client makes the daemon wait, not the proxy grow.
/// *Thread*: the loop's.
final class Forwarding {
    enum State: Equatable {
        /// There is more to write.
        case sending
        case reading
        /// The client's buffer is full.
        case full
        case over
    }

    /// Fields of the daemon's replies that go on to the client, besides those that HTTP itself needs.
    private static let kept: Set<String> = ["accept", "allow", "retry-after"]

    private let socket: Descriptor
    private let folder: String
    private var unsent: ArraySlice<UInt8>
    private var reader = ReplyReader(keeping: Forwarding.kept)
    /// nil after the answer.
    private var answer: ((ControlReply) -> Void)?
    private(set) var flow: ReplyFlow?
    /// Bytes of a body that is gathered in place of going on to a client; nil: it goes on.
    private let whole: Int?
    private var gathered: [UInt8] = []
    private(set) var state = State.sending
    /// Until the head of the reply has to be there; `distantFuture` after that.
    private(set) var deadline: Instant
    /// Whether the loop waits for its connection.
    var isWatched = false

    var number: Int32 { socket.number }

    /// - Parameters:
    ///   - deadline: until the daemon has to answer.
    ///   - whole: bytes of a body that is wanted whole; nil: it is wanted as a flow.
    ///   - answer: called once, with the reply.
    init(
        _ request: ControlRequest, over socket: consuming Descriptor, folder: String, deadline: Instant,
        whole: Int? = nil, answer: @escaping (ControlReply) -> Void
    ) {
        self.socket = consume socket
        self.folder = folder
        self.deadline = deadline
        self.whole = whole
        self.answer = answer
        unsent = Self.bytes(of: request)[...]
    }

    /// Written anew from what was understood of it: the daemon reads what was judged, and nothing else.
    private static func bytes(of request: ControlRequest) -> [UInt8] {
        var head =
            "\(request.method.rawValue) \(RequestTarget.text(path: request.path, query: request.query)) HTTP/1.1\r\n"
            + "Host: localhost\r\nConnection: close\r\n"
        let fields = [
            ("Accept", request.accept), ("Last-Event-ID", request.lastEventID), ("traceparent", request.traceparent),
        ]
        for (name, value) in fields {
            guard let value, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { continue }
            head += "\(name): \(value)\r\n"
        }
        if !request.body.isEmpty {
            head += "Content-Type: application/json\r\nContent-Length: \(request.body.count)\r\n"
        }
        return Array((head + "\r\n").utf8) + request.body
    }

    /// Sends and reads as far as possible without waiting.
    func advance() {
        guard state != .over else { return }
        while !unsent.isEmpty {
            do throws(SystemError) {
                unsent = unsent.dropFirst(try socket.sendAtOnce(unsent))
            } catch {
                // A host that wants no more may have sent the reason before it closed.
                if error.code != .EAGAIN { unsent = [] }
                break
            }
        }
        state = unsent.isEmpty ? .reading : .sending
        read()
    }

    private func read() {
        while state != .over {
            let room = flow?.room ?? ReplyFlow.capacity
            guard room > 0 else {
                state = .full
                return
            }
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try socket.read(room)
            } catch {
                if error.code != .EAGAIN { lose("\(error.code)") }
                return
            }
            guard !bytes.isEmpty else {
                // The body of a reply without a length ends with the connection.
                if reader.takeEnd() { finish() } else { lose("the connection ended before the reply") }
                return
            }
            take(bytes[...])
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        _ = reader.take(bytes) { piece, reader in
            if let whole {
                gathered += piece
                return gathered.count <= whole
            }
            begin(reader)
            flow?.send(piece)
            return true
        }
        if reader.isBroken { return lose("this is not HTTP") }
        if let whole, gathered.count > whole { return lose("its reply is longer than \(whole) bytes") }
        guard reader.status != 0 else { return }
        if whole == nil { begin(reader) }
        if reader.isWhole { finish() }
    }

    /// The head of the reply is there.
    private func begin(_ reader: ReplyReader) {
        guard let answer else { return }
        self.answer = nil
        deadline = .distantFuture
        let size = reader.isWhole ? reader.length ?? 0 : reader.length
        let flow = ReplyFlow(size: size)
        self.flow = flow
        // The client has gone, or has everything.
        flow.didClose = { [weak self] in self?.close() }
        var reply = ControlReply(
            status: reader.status, contentType: reader.contentType, parts: [], headers: reader.fields)
        reply.flow = flow
        answer(reply)
    }

    private func finish() {
        state = .over
        flow?.finish()
        guard whole != nil, let answer else { return }
        self.answer = nil
        answer(ControlReply(status: reader.status, contentType: reader.contentType, body: gathered))
    }

    /// The daemon has gone, or answers with something else than HTTP.
    func lose(_ words: String) {
        guard state != .over else { return }
        state = .over
        if let answer {
            self.answer = nil
            answer(.problem(.unreachable("the host went away: \(words)", folder)))
        }
        flow?.fail()
    }

    private func close() { state = .over }
}
