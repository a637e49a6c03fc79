/// One request to the control API, whole and bounded, from the socket or from a verb in the same process.
package struct ControlRequest: Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// Percent-decoded, without the query, such as `/v1/tasks/com.example.feeds.refresh/why`.
    package var path: String
    /// Decoded, in the order given.
    package var query: [(name: String, value: String)]
    /// Empty when there is none.
    package var body: [UInt8]
    /// The types that the client takes (`Accept`); nil: any.
    package var accept: String?
    /// The span that asks, as W3C Trace Context names it; nil: none.
    package var traceparent: String?
    /// The id of the last event that the client has received (`Last-Event-ID`); nil: it names none.
    package var lastEventID: String?
    package var peer: Peer

    package init(
        _ method: Method, _ path: String, query: [(name: String, value: String)] = [], body: [UInt8] = [],
        peer: Peer = .own
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.peer = peer
    }
}

/// The client (SO_PEERCRED).
package struct Peer: Sendable, Hashable {
    package var user: UInt32
    package var group: UInt32
    package var process: Int32
    /// Its access.
    package var access: Access

    package enum Access: UInt8, Sendable {
        case none
        case read
        case all
    }

    package init(user: UInt32, group: UInt32, process: Int32, access: Access) {
        self.user = user
        self.group = group
        self.process = process
        self.access = access
    }

    /// The host's own process.
    package static let own = Peer(user: 0, group: 0, process: 0, access: .all)
}

/// The one answer to a request.
package struct ControlReply: Sendable {
    package var status: Int
    /// Such as `application/json`.
    package var contentType: String
    /// The body, in the order of sending: each part is released when it has been sent, so that a body of many megabytes is
    /// not copied as a whole.
    package var parts: [[UInt8]]
    /// In addition to Content-Type and the fields that HTTP itself needs, such as Allow.
    package var headers: [(name: String, value: String)]
    /// In place of `body`: an open file, sent from its beginning.
    package var file: ReplyFile?
    /// In place of `body`: what another source sends, as it comes.
    package var flow: ReplyFlow?

    package init(
        status: Int, contentType: String, body: [UInt8], headers: [(name: String, value: String)] = []
    ) {
        self.init(status: status, contentType: contentType, parts: [body], headers: headers)
    }

    package init(
        status: Int, contentType: String, parts: [[UInt8]], headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.parts = parts
        self.headers = headers
    }

    /// The whole body; several parts are concatenated.
    package var body: [UInt8] {
        get { parts.count == 1 ? parts[0] : Array(parts.joined()) }
        set { parts = [newValue] }
    }
}

/// What answers requests. Called on the loop's thread.
package protocol ControlHandler: AnyObject {
    /// Answers now, or later (after the commit that makes the answer true) by calling `answer` exactly once on the loop's
    /// thread. The handler may ignore that the caller has disconnected.
    func handle(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void)
    /// Begins to send events to a client of `GET /v1/events`. Returns the refusal when the request is bad, else nil.
    func openStream(_ request: ControlRequest, to stream: any ControlStream) -> ControlReply?
    /// The methods of a path; none when the path does not exist.
    func methods(of path: String) -> [ControlRequest.Method]
    /// Whether readers may use it: it changes nothing.
    func letsReaders(_ method: ControlRequest.Method, _ path: String) -> Bool
}

extension ControlHandler {
    package func methods(of path: String) -> [ControlRequest.Method] { ControlRequest.Method.allCases }
    package func letsReaders(_ method: ControlRequest.Method, _ path: String) -> Bool { method == .get }
}

/// One `text/event-stream` connection. The server drops a client that reads too slowly.
package protocol ControlStream: AnyObject {
    /// Sends one event.
    func send(_ event: StreamedEvent)
    /// Ends it cleanly.
    func finish()
    /// Called once when the client has disconnected or was dropped.
    var didClose: (() -> Void)? { get set }
    /// The id of the last event that the client has received (`Last-Event-ID`); nil: it connects for the first time.
    var lastEventID: String? { get }
    /// Its client read too slowly.
    var wasDropped: Bool { get }
}

extension ControlStream {
    package var lastEventID: String? { nil }
    package var wasDropped: Bool { false }
}
