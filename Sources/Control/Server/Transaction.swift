/// One request on its way through the server.
///
/// Thread: the loop's. libmicrohttpd holds a reference from the request's first line until it is completed.
@safe final class Transaction {
    enum Phase {
        /// The first line is there.
        case begun
        /// The header was taken; the body comes.
        case receiving
        /// The handler has it. When its function returned without an answer, the connection is suspended.
        case waiting
        /// The reply is there; it is being sent.
        case answered
        /// The client has disconnected, or the connection is closed.
        case over
    }

    /// Valid until `phase` is `over`.
    let handle: OpaquePointer
    let connection: Connection
    /// The request's target as it was sent.
    let target: [UInt8]
    var phase = Phase.begun
    var isSuspended = false
    var request = ControlRequest(.get, "/")
    /// The event that a client of the stream has seen last.
    var lastEventID: String?
    /// Only the header of the reply is requested.
    var isHead = false
    /// Bytes of the body, those included that were thrown away.
    var received = 0
    /// An answer from before the handler returned.
    var reply: ControlReply?
    var stream: EventStream?
    /// The source of the reply's body, if it comes piece by piece.
    var flow: ReplyFlow?

    init(_ handle: OpaquePointer, on connection: Connection, target: [UInt8]) {
        unsafe self.handle = unsafe handle
        self.connection = connection
        self.target = target
    }
}
