import Control
import Glibc
import JSON
import TestSupport
import Testing

@Suite("A control server")
struct ServingTests {
    @Test("A GET is answered by the handler over the socket")
    func answersAtOnce() throws {
        let bench = try Bench()
        let client = try bench.ask(get("/v1/host?limit=5&x=a%20b"))
        let reply = try #require(client.replies.first)
        #expect(reply.status == 200)
        #expect(reply.body == "/v1/host")
        #expect(reply.head.contains("Content-Type: text/plain; charset=utf-8"))
        let request = try #require(bench.handler.requests.first)
        #expect(request.query.map(\.name) == ["limit", "x"])
        #expect(request.query.map(\.value) == ["5", "a b"])
        #expect(request.peer.user == getuid())
        #expect(request.peer.process == getpid())
    }

    @Test("Clients that come before it listens wait, and are answered then")
    func listensLater() throws {
        let bench = try Bench(acceptsAtOnce: false)
        let early = try (0..<3).map { _ in try bench.client() }
        for (number, client) in early.enumerated() { client.send(get("/\(number)")) }
        var turns = 0
        try bench.wait {
            bench.loop.mailbox.post {}
            turns += 1
            return turns > 20
        }
        #expect(bench.server.connectionCount == 0 && bench.handler.requests.isEmpty)
        bench.server.listen()
        try bench.wait { early.allSatisfy { $0.statuses == [200] } }
        #expect(early.map { $0.replies[0].body } == ["/0", "/1", "/2"])
        #expect(try bench.ask(get("/late")).statuses == [200])
    }

    @Test("A deferred answer leaves after the commit of the turn that gave it")
    func answersLater() throws {
        let bench = try Bench()
        var isCommitted = false
        bench.handler.answering = { request, answer in
            bench.loop.afterCommit.append {
                isCommitted = true
                answer(.json(["path": .string(request.path)], status: 202))
            }
        }
        let client = try bench.client()
        client.send(post("/v1/requests", "{}"))
        try bench.wait {
            if !isCommitted { #expect(client.text.isEmpty) }
            return client.replies.count == 1
        }
        #expect(isCommitted)
        #expect(client.replies[0].status == 202)
        #expect(client.replies[0].body == #"{"path":"/v1/requests"}"#)
    }

    @Test("Requests in one write are answered in order, deferred or not")
    func pipelining() throws {
        let bench = try Bench()
        bench.handler.answering = { request, answer in
            let reply = ControlReply.text(Array(request.path.utf8))
            if request.path.hasSuffix("now") { return answer(reply) }
            bench.loop.afterCommit.append { answer(reply) }
        }
        let client = try bench.ask(
            get("/1") + get("/2now") + get("/3") + post("/4", "{}") + get("/5now") + get("/6"), replies: 6)
        #expect(client.replies.map(\.body) == ["/1", "/2now", "/3", "/4", "/5now", "/6"])
        #expect(!client.isAtEnd)
    }

    @Test("A reply in many parts arrives whole, a part after the other, and leaves room for others' questions")
    func parts() throws {
        let bench = try Bench()
        let letters = (0..<20).map { [UInt8](repeating: UInt8(ascii: "a") + $0, count: 40_000 + Int($0)) }
        let parts = letters + [Array("END".utf8)]
        bench.handler.answering = { request, answer in
            guard request.path == "/long" else { return answer(.text(Array(request.path.utf8))) }
            answer(ControlReply(status: 200, contentType: "application/json", parts: parts))
        }
        let client = try bench.client()
        client.send(get("/long"))
        let other = try bench.ask(get("/short"))
        #expect(other.replies.map(\.body) == ["/short"])
        // A turn takes one part at most, and a socket's buffer few.
        #expect(!client.text.hasSuffix("END"))
        try bench.wait { client.text.hasSuffix("END") }
        let reply = try #require(client.replies.first)
        #expect(reply.status == 200 && Array(reply.body.utf8) == Array(parts.joined()))
        client.send(get("/again"))
        try bench.wait { client.replies.count == 2 }
    }

    @Test("Events reach a client in order, and a clean end ends the stream")
    func events() throws {
        let bench = try Bench()
        let client = try bench.client()
        client.send(get("/v1/events?runs=a"))
        try bench.wait { bench.handler.streams.count == 1 && client.text.contains("retry: 1000") }
        for id in 1...100 {
            bench.handler.streams[0].send(
                StreamedEvent("run.started", id: UInt64(id), data: Array("{}".utf8)))
        }
        try bench.wait { client.text.contains("id: 100\ndata: {}\n\n") }
        #expect(client.text.contains("Content-Type: text/event-stream"))
        bench.handler.streams[0].finish()
        try bench.wait { bench.handler.closedStreams == 1 }
        client.send(get("/v1/host"))
        try bench.wait { client.text.hasSuffix("/v1/host") }
    }
}
