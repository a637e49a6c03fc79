import Control
import Linux
import TaskModel
import TestSupport

/// A server in its own folder, its loop, and what answers.
final class Bench {
    let folder: String
    let handler = ScriptedHandler()
    let server: ControlServer
    let loop: TestLoop

    init(
        limits: ServerLimits = ServerLimits(), fields: [(name: String, value: String)] = [], hasEvents: Bool = true,
        acceptsAtOnce: Bool = true,
        access: @escaping (UInt32, UInt32) -> Peer.Access = { _, _ in .all }, judge: ControlServer.Judge? = nil
    ) throws {
        folder = try FileSystem.makeTemporaryFolder("/tmp/taskhost-control-")
        server = ControlServer(
            listeners: [try ControlSocket.open(inState: folder)], handler: handler, limits: limits, judge: judge,
            fields: fields, hasEvents: hasEvents, acceptsAtOnce: acceptsAtOnce, access: access)
        loop = try TestLoop(server)
    }

    deinit {
        server.close()
        try? FileSystem.removeTree(folder)
    }

    func client() throws -> RawClient { try RawClient(folder) }

    /// Sends a text as a new client and waits for so many whole replies, or for the connection's end.
    func ask(_ text: String, replies: Int = 1) throws -> RawClient {
        let client = try client()
        client.send(text)
        try wait { client.replies.count >= replies || client.isAtEnd }
        return client
    }

    /// Turns until it is so; fails the test when it never is.
    func wait(_ isSo: () -> Bool) throws {
        guard try loop.run(until: isSo) else { throw TestSupport.Problem("waited in vain") }
    }
}

/// A GET as curl writes it.
func get(_ path: String, _ headers: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: h\r\n\(headers)\r\n" }
/// A POST of JSON.
func post(_ path: String, _ body: String, _ headers: String = "Content-Type: application/json\r\n") -> String {
    "POST \(path) HTTP/1.1\r\nHost: h\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}
