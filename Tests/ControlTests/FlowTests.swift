import Control
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("A reply that comes piece by piece")
struct FlowTests {
    /// A server that answers everything with a flow, and the client that asks.
    private final class Stage {
        let bench: Bench
        let client: RawClient
        var flow: ReplyFlow?
        var closed = 0
        var invitations = 0

        init(size: Int64? = nil, _ text: String = get("/a"), limits: ServerLimits = ServerLimits()) throws {
            bench = try Bench(limits: limits)
            client = try bench.client()
            bench.handler.answering = { [unowned self] _, answer in
                let flow = ReplyFlow(size: size)
                flow.didClose = { [unowned self] in closed += 1 }
                flow.hasRoom = { [unowned self] in invitations += 1 }
                var reply = ControlReply(status: 200, contentType: "text/plain", body: [])
                reply.flow = flow
                self.flow = flow
                bench.loop.afterCommit.append { answer(reply) }
            }
            client.send(text)
            try bench.wait { bench.server.connectionCount > 0 && flow != nil && bench.loop.afterCommit.isEmpty }
        }

        func send(_ text: String) { flow?.send(Array(text.utf8)[...]) }
    }

    @Test("has the length that was said")
    func length() throws {
        let stage = try Stage(size: 10)
        stage.send("hello")
        try stage.bench.wait { stage.client.text.hasSuffix("hello") }
        #expect(stage.client.text.contains("Content-Length: 10\r\n") && stage.closed == 0)
        stage.send("there")
        stage.flow?.finish()
        try stage.bench.wait { stage.client.replies.map(\.body) == ["hellothere"] }
        try stage.bench.wait { stage.closed == 1 }
        // The connection serves another request.
        stage.client.send(get("/b"))
        try stage.bench.wait { stage.bench.handler.requests.count == 2 }
    }

    @Test("comes in chunks without a length, each at once")
    func chunks() throws {
        let stage = try Stage()
        stage.send("one")
        try stage.bench.wait { stage.client.text.hasSuffix("3\r\none\r\n") }
        stage.send("four")
        try stage.bench.wait { stage.client.text.hasSuffix("4\r\nfour\r\n") }
        stage.flow?.finish()
        try stage.bench.wait { stage.client.text.hasSuffix("0\r\n\r\n") && stage.closed == 1 }
    }

    @Test("ends without its end when the rest is lost", arguments: [10, nil])
    func loss(_ size: Int64?) throws {
        let stage = try Stage(size: size)
        stage.send("half")
        stage.flow?.fail()
        stage.flow?.finish()
        try stage.bench.wait {
            stage.client.read()
            return stage.client.isAtEnd
        }
        #expect(stage.client.text.contains("half") && !stage.client.text.hasSuffix("0\r\n\r\n"))
        #expect(stage.closed == 1)
    }

    @Test("waits for a client that does not read, with a bounded buffer")
    func slow() throws {
        let stage = try Stage()
        let flow = try #require(stage.flow)
        var sent = 0
        func fill() {
            let bytes = [UInt8](repeating: 7, count: flow.room)
            sent += bytes.count
            flow.send(bytes[...])
        }
        // The kernel's buffers take something as well; then there is no room left.
        for _ in 0..<40 {
            fill()
            _ = try stage.bench.loop.run(for: .milliseconds(10)) { flow.room > 0 }
        }
        #expect(flow.room == 0 && sent < 2 << 20)
        #expect(stage.invitations < 40)
        let before = stage.invitations
        stage.client.read()
        try stage.bench.wait {
            stage.client.read()
            return stage.invitations > before
        }
        #expect(flow.room >= ReplyFlow.capacity / 2)
        flow.finish()
        try stage.bench.wait {
            stage.client.read()
            return stage.closed == 1
        }
        #expect(stage.client.received.count { $0 == 7 } == sent)
    }

    @Test("learns when its client has gone", arguments: [true, false])
    func gone(_ isHalf: Bool) throws {
        var stage: Stage? = try Stage()
        let flow = try #require(stage?.flow)
        var closed = 0
        flow.didClose = { closed += 1 }
        let bench = try #require(stage?.bench)
        if isHalf { Descriptor.shutDown(try #require(stage?.client).descriptor, reading: false) } else { stage = nil }
        try bench.wait { closed == 1 }
        flow.send(Array("more".utf8)[...])
        flow.finish()
        try bench.wait { bench.server.connectionCount == 0 }
        #expect(closed == 1)
    }

    @Test("is closed at once when the client has gone before it began")
    func late() throws {
        let bench = try Bench()
        var answer: ((ControlReply) -> Void)?
        bench.handler.answering = { answer = $1 }
        var client: RawClient? = try bench.client()
        client?.send(get("/a"))
        try bench.wait { answer != nil }
        try bench.wait { bench.server.connectionCount == 1 }
        client = nil
        try bench.wait { bench.server.connectionCount == 0 }
        let flow = ReplyFlow(size: nil)
        var closed = 0
        flow.didClose = { closed += 1 }
        var reply = ControlReply(status: 200, contentType: "text/plain", body: [])
        reply.flow = flow
        answer?(reply)
        #expect(closed == 1)
    }

    @Test("is closed at once for HEAD, which has no body")
    func head() throws {
        let stage = try Stage(size: 10, "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n")
        try stage.bench.wait { stage.closed == 1 }
        #expect(stage.client.text.contains("Content-Length: 10\r\n"))
    }

    @Test("that has ended is cut when its client does not take it in time")
    func untaken() throws {
        var limits = ServerLimits()
        limits.sending = .milliseconds(50)
        let stage = try Stage(limits: limits)
        let flow = try #require(stage.flow)
        for _ in 0..<40 {
            flow.send([UInt8](repeating: 7, count: flow.room)[...])
            _ = try stage.bench.loop.run(for: .milliseconds(5)) { flow.room > 0 }
        }
        #expect(flow.room == 0 && stage.closed == 0)
        flow.finish()
        try stage.bench.wait { stage.closed == 1 }
    }
}

@Suite("A server with its own rules")
struct JudgeTests {
    @Test("asks them of each request before its body, in place of the usual ones")
    func judges() throws {
        var heads: [RequestHead] = []
        let bench = try Bench(judge: { (head) throws(Control.Problem) in
            heads.append(head)
            guard head.path != "/closed" else { throw .noSuchPath(head.path) }
        })
        #expect(
            try bench.ask(
                "GET /a%2Fb?c HTTP/1.1\r\nHost: evil.example\r\nOrigin: Null\r\nAuthorization: Bearer X\r\n\r\n"
            )
            .statuses == [200])
        let head = try #require(heads.first)
        #expect(head.method == "GET" && head.path == "/a/b" && head.length == nil && !head.isChunked)
        #expect(head.hosts == ["evil.example"] && head.origins == ["null"] && head.credentials == ["Bearer X"])
        let text = "POST /closed HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: Cross-Site\r\nContent-Length: 5\r\n\r\n"
        #expect(try bench.ask(text).statuses == [404])
        #expect(heads[1].fetchSites == ["cross-site"] && heads[1].length == 5)
        #expect(bench.handler.requests.count == 1)
    }

    @Test("has its own fields in every reply")
    func fields() throws {
        let bench = try Bench(fields: [("X-One", "1"), ("X-Two", "2")], hasEvents: false)
        for text in [get("/a"), get("/v1/events"), "BREW / HTTP/1.1\r\nHost: h\r\n\r\n", get("/%")] {
            let head = try #require(try bench.ask(text).replies.first?.head)
            #expect(head.contains("X-One: 1\r\n") && head.contains("X-Two: 2\r\n"), "\(head)")
        }
        // The path of events is one like any other.
        #expect(bench.handler.requests.map(\.path) == ["/a", "/v1/events"] && bench.handler.streams.isEmpty)
    }
}
