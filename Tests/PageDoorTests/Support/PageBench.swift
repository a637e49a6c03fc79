import Control
import JSON
import Linux
import PageDoor
import TaskModel
import TestSupport

/// A proxy before a daemon that answers as a test says, on one loop, and clients of the proxy.
final class PageBench {
    /// Plays the daemon: what it is asked, and what it answers.
    final class Daemon: ControlHandler {
        var requests: [ControlRequest] = []
        /// Without it every request is answered with its own path.
        var answering: ((ControlRequest, @escaping (ControlReply) -> Void) -> Void)?

        func handle(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
            requests.append(request)
            if let answering { answering(request, answer) } else { answer(.text(Array(request.path.utf8))) }
        }

        func openStream(_ request: ControlRequest, to stream: any ControlStream) -> ControlReply? { nil }
    }

    let folder: TestSupport.Folder
    let daemon = Daemon()
    let proxy: PageProxy
    private var server: ControlServer?
    private let several = Several()
    private let loop: TestLoop

    var port: UInt16 { proxy.port }
    var origin: String { "http://127.0.0.1:\(port)" }

    init(
        isReadOnly: Bool = false, users: Set<UInt32>? = [ThisProcess.user], manifests: (any PageManifests)? = nil,
        limits: ServerLimits = PageProxy.limits
    ) throws {
        folder = try TestSupport.Folder()
        proxy = try PageProxy(
            DaemonPlace(folder.path), port: nil, isReadOnly: isReadOnly, users: users, manifests: manifests,
            limits: limits)
        loop = try TestLoop(several)
        for source in proxy.sources() { try several.add(source) }
        try startDaemon()
    }

    deinit { several.close() }

    func startDaemon() throws {
        let server = ControlServer(
            listeners: [try ControlSocket.open(inState: folder.path)], handler: daemon, hasEvents: false,
            access: { _, _ in .all })
        try several.add(server)
        self.server = server
    }

    /// Ends it; what it has begun to answer ends unfinished.
    func stopDaemon() {
        if let server { several.end(server) }
        server = nil
    }

    /// Turns until it is so; fails the test when it never is.
    func wait(_ isSo: () -> Bool) throws {
        guard try loop.run(until: isSo) else { throw TestSupport.Problem("waited in vain") }
    }

    /// Turns for a while, in which nothing is to happen.
    func turn(_ milliseconds: Int64) throws { _ = try loop.run(for: .milliseconds(milliseconds)) { false } }

    /// How often the loop woke up.
    var wakes: Int { loop.wakes }

    func client() throws -> PageClient { try PageClient(port) }

    /// Sends a text as a new client and waits for so many whole replies, or for the connection's end.
    func ask(_ text: String, replies: Int = 1) throws -> PageClient {
        let client = try client()
        client.send(text)
        try wait { client.replies.count >= replies || client.isAtEnd }
        return client
    }

    /// The reply to one request.
    func reply(_ text: String) throws -> PageClient.Reply {
        guard let reply = try ask(text).replies.first else { throw TestSupport.Problem("no reply to \(text)") }
        return reply
    }

    /// The token of a new link.
    func token() throws -> String {
        guard let token = proxy.makeLink(at: Clock.moment().instant).split(separator: "=").last else {
            throw TestSupport.Problem("no token")
        }
        return String(token)
    }

    func exchange(_ token: String) throws -> PageClient.Reply {
        let body = #"{"token": "\#(token)"}"#
        return try reply(request("POST", "/session", "Origin: \(origin)\r\n" + Self.json(body), body))
    }

    /// The key of a new link.
    func key() throws -> String {
        let reply = try exchange(try token())
        guard let key = try JSONParser.parse(Array(reply.body.utf8), maximumBytes: 1000)["key"]?.string else {
            throw TestSupport.Problem("\(reply)")
        }
        return key
    }

    static func json(_ body: String) -> String {
        "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    }

    func request(_ method: String, _ path: String, _ fields: String = "", _ body: String = "") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n\(body)"
    }

    /// A POST of a document with the key.
    func post(_ path: String, _ key: String, _ body: String) -> String {
        request("POST", path, "Authorization: Bearer \(key)\r\nOrigin: \(origin)\r\n" + Self.json(body), body)
    }

    /// A GET with the key.
    func get(_ path: String, _ key: String, _ fields: String = "") -> String {
        request("GET", path, "Authorization: Bearer \(key)\r\n\(fields)")
    }
}
