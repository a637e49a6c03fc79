import Control
import Linux
import PageDoor
import TaskModel
import TestSupport
import Testing

@Suite("The page's proxy")
struct ProxyTests {
    @Test("gives a key for a link, once, and no cookie ever")
    func link() throws {
        let bench = try PageBench()
        let token = try bench.token()
        let first = try bench.exchange(token)
        #expect(
            first.status == 200 && first.body.contains(#""readOnly":false"#) && first.has("Cache-Control: no-store"))
        let second = try bench.exchange(token)
        #expect(second.status == 403 && second.body.contains("run taskhost ui again"))
        #expect(second.body.contains("urn:taskhost:problem:refused-link"))
        #expect(!first.head.contains("Set-Cookie") && !second.head.contains("Set-Cookie"))
        // The session needs no daemon.
        #expect(bench.daemon.requests.isEmpty)
        let key = try bench.key()
        #expect(try bench.reply(bench.get("/v1/host", key)).body == "/v1/host")
        // A browser that has a key keeps it when others come.
        _ = try bench.key()
        #expect(try bench.reply(bench.get("/metrics", key)).body == "/metrics")
    }

    @Test(
        "lets in programs of its users and of root, and answers others before it reads a byte",
        .enabled(if: ThisProcess.isRoot, "only root has sockets of other users"))
    func strangers() throws {
        let bench = try PageBench(users: [1000])
        func status(_ user: UInt32, _ bench: PageBench) throws -> PageClient.Reply {
            let client = try PageClient(bench.port, user: user)
            client.send(bench.request("GET", "/"))
            try bench.wait { !client.replies.isEmpty || client.isAtEnd }
            return try #require(client.replies.first)
        }
        #expect(try [1000, 0].map { try status($0, bench).status } == [200, 200])
        let refusal = try status(1001, bench)
        #expect(refusal.status == 403 && refusal.body.contains("urn:taskhost:problem:another-user"), "\(refusal)")
        #expect(refusal.has("Content-Security-Policy: default-src 'none'") && refusal.has("Cache-Control: no-store"))
        #expect(bench.daemon.requests.count == 2)
        let open = try PageBench(users: nil)
        #expect(try status(1001, open).status == 200)
    }

    @Test("has its security fields in every reply, whatever its source")
    func fields() throws {
        let bench = try PageBench()
        let key = try bench.key()
        bench.daemon.answering = { request, answer in
            answer(request.path == "/v1/none" ? .problem(.noSuchPath("/v1/none")) : .text([]))
        }
        let texts = [
            bench.get("/v1/host", key), bench.get("/v1/none", key), bench.request("GET", "/"),
            bench.request("GET", "/nothing"), bench.request("GET", "/v1/host"), bench.request("DELETE", "/"),
            bench.request("GET", "/", "Origin: http://evil.example\r\n"),
            "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            bench.request("POST", "/session", "Origin: \(bench.origin)\r\n"), bench.request("GET", "/%"),
        ]
        for text in texts {
            let reply = try bench.reply(text)
            let policy =
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            for field in [
                "Content-Security-Policy: \(policy)\r\n", "X-Content-Type-Options: nosniff",
                "Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin",
                "Cross-Origin-Resource-Policy: same-origin", "Cache-Control: no-store",
            ] {
                #expect(reply.has(field), "\(text): \(reply.head)")
            }
            #expect(!reply.head.contains("Set-Cookie"))
            guard reply.status >= 400 else { continue }
            #expect(reply.has("Content-Type: application/problem+json"), "\(reply.head)")
        }
    }

    @Test("passes the page's files without a key, and the API with it")
    func places() throws {
        let bench = try PageBench()
        let key = try bench.key()
        for (path, asked) in [
            ("/", "/ui/index.html"), ("/app.js", "/ui/app.js"), ("/app.css", "/ui/app.css"),
            ("/icon.svg", "/ui/icon.svg"), ("/scripts/now.js", "/ui/scripts/now.js"),
            ("/favicon.ico", "/ui/icon.svg"), ("/?x=1", "/ui/index.html"),
        ] {
            let reply = try bench.reply(bench.request("GET", path))
            #expect(reply.status == 200 && reply.body == asked)
            #expect(bench.daemon.requests.last?.query.isEmpty == true)
        }
        #expect(try bench.reply(bench.request("GET", "/v1/host")).status == 401)
        for (target, status, path) in [
            ("/v1/a%2Fb", 200, "/v1/a/b"), ("/%76%31/host", 200, "/v1/host"), ("/v1/../ui/", 200, "/v1/../ui/"),
            ("/v1/%2e%2e/ui/", 200, "/v1/../ui/"), ("/v1/a%20b+c", 200, "/v1/a b+c"),
            ("/v1/caf%C3%A9", 200, "/v1/café"),
            ("//v1/host", 404, nil), ("/./v1/host", 404, nil), ("/ui/", 404, nil), ("/v1", 404, nil),
            ("/app.js/..", 404, nil), ("/scripts/../v1/host.js", 404, nil), ("/v1/%0d%0aX:%20y", 400, nil),
            ("/v1/%00", 400, nil), ("/v1/%ff", 400, nil),
            ("http://127.0.0.1:\(bench.port)/v1/host", 400, nil), ("http://evil.example/v1/host", 400, nil),
            ("*", 400, nil),
        ] as [(String, Int, String?)] {
            let before = bench.daemon.requests.count
            let reply = try bench.reply(bench.get(target, key))
            #expect(reply.status == status, "\(target): \(reply)")
            #expect(bench.daemon.requests.count == before + (path == nil ? 0 : 1), "\(target)")
            if let path { #expect(bench.daemon.requests.last?.path == path, "\(target)") }
        }
    }

    @Test("passes on the query, the body and what a client of events says, and nothing else")
    func requests() throws {
        let bench = try PageBench()
        let key = try bench.key()
        _ = try bench.reply(
            bench.get(
                "/v1/events?runs=a%26b%3D,c&q=%2B+x", key,
                "Last-Event-ID: 17\r\nAccept: text/event-stream\r\nCookie: a=b\r\nX-Own: 1\r\n"))
        let events = try #require(bench.daemon.requests.last)
        #expect(events.path == "/v1/events" && events.query.map(\.name) == ["runs", "q"])
        #expect(events.query.map(\.value) == ["a&b=,c", "+ x"])
        #expect(events.lastEventID == "17" && events.accept == "text/event-stream")
        let body = #"{"identifiers": ["a"]}"#
        let text = bench.request(
            "POST", "/v1/runs",
            "Authorization: Bearer \(key)\r\nOrigin: \(bench.origin)\r\nSec-Fetch-Site: same-origin\r\n"
                + PageBench.json(body), body)
        #expect(try bench.reply(text).status == 200)
        #expect(bench.daemon.requests.last?.method == .post && bench.daemon.requests.last?.body == Array(body.utf8))
        for method in ["PATCH", "DELETE"] {
            let text = bench.request(
                method, "/v1/device", "Authorization: Bearer \(key)\r\nOrigin: \(bench.origin)\r\n")
            #expect(try bench.reply(text).status == 200)
            #expect(bench.daemon.requests.last?.method.rawValue == method)
        }
    }

    @Test("takes the methods of HTTP as the daemon does")
    func methods() throws {
        let bench = try PageBench()
        let key = try bench.key()
        let fields = "Authorization: Bearer \(key)\r\nOrigin: \(bench.origin)\r\n"
        let head = try bench.client()
        head.send(bench.request("HEAD", "/v1/host", fields))
        try bench.wait { head.text.contains("\r\n\r\n") }
        #expect(head.text.hasPrefix("HTTP/1.1 200") && head.text.contains("Content-Length: 8\r\n"))
        #expect(head.text.hasSuffix("\r\n\r\n"))
        for method in ["OPTIONS", "TRACE", "PUT", "BREW"] {
            for path in ["/v1/host", "/"] {
                let reply = try bench.reply(bench.request(method, path, fields))
                #expect(reply.status == 405 && reply.has("Allow: GET"), "\(method) \(path): \(reply)")
            }
        }
        // A preflight of another page.
        let preflight = "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n"
        let reply = try bench.reply(bench.request("OPTIONS", "/v1/runs", preflight))
        #expect(reply.status == 403 && !reply.head.contains("Access-Control"))
        #expect(try bench.reply(bench.request("CONNECT", "evil.example:443", fields)).status == 400)
        #expect(bench.daemon.requests.count == 1)
    }

    @Test("changes nothing when it is read only, but forecasts")
    func readOnly() throws {
        let bench = try PageBench(isReadOnly: true)
        let reply = try bench.exchange(try bench.token())
        #expect(reply.body.contains(#""readOnly":true"#))
        let key = try bench.key()
        let fields = "Authorization: Bearer \(key)\r\nOrigin: \(bench.origin)\r\n"
        #expect(try bench.reply(bench.get("/v1/host", key)).status == 200)
        for (method, path) in [("POST", "/v1/reload"), ("DELETE", "/v1/device"), ("PATCH", "/v1/device")] {
            let reply = try bench.reply(bench.request(method, path, fields))
            #expect(reply.status == 403 && reply.body.contains("read-only"))
        }
        #expect(
            try bench.reply(bench.request("POST", "/v1/forecast", fields + PageBench.json("{}"), "{}")).status == 200)
        #expect(bench.daemon.requests.map(\.method) == [.get, .post])
    }

    @Test("ends after ten wrong keys, with an answer for each")
    func besieged() throws {
        let bench = try PageBench()
        let key = try bench.key()
        for count in 1...10 {
            #expect(!bench.proxy.isBesieged)
            #expect(try bench.reply(bench.get("/v1/host", "wrong")).status == 401, "\(count)")
        }
        #expect(bench.proxy.isBesieged)
        #expect(try bench.reply(bench.get("/v1/host", key)).status == 200)
    }

    // MARK: What is no good request

    @Test("reads a request in one way, or not at all")
    func smuggling() throws {
        let bench = try PageBench()
        let key = try bench.key()
        let head =
            "POST /v1/runs HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nAuthorization: Bearer \(key)\r\n"
            + "Origin: \(bench.origin)\r\nContent-Type: application/json\r\n"
        let second = "GET /v1/smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
        for (text, status) in [
            (head + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + second, 400),
            (head + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + second, 400),
            (head + "Content-Length: 0\r\nContent-Length: \(second.utf8.count)\r\n\r\n" + second, 400),
            (head + "Transfer-Encoding: gzip\r\n\r\n" + second, 501),
            (head + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + second, 501),
            (head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + second, 501),
            (head + "Content-Length: +4\r\n\r\n" + second, 400),
            (head + "Content-Length: 1048577\r\n\r\n", 413),
        ] {
            let client = try bench.client()
            client.send(text)
            // Nothing that follows is a request: the connection ends.
            try bench.wait {
                client.read()
                return client.isAtEnd
            }
            #expect(client.text.hasPrefix("HTTP/1.1 \(status) "), "\(text): \(client.text)")
            // The library itself may send the head of a refusal twice.
            let isProblem = client.text.contains("application/problem+json")
            #expect(!isProblem || client.text.count(of: "HTTP/1.1 ") == 1, "\(text): \(client.text)")
        }
        // What the library takes for a header reaches the daemon in one reading as well.
        for text in [
            "GET /v1/a HTTP/1.1\nHost: 127.0.0.1:\(bench.port)\nAuthorization: Bearer \(key)\n\n",
            "GET /v1/a HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nAuthorization: Bearer\r\n \(key)\r\n"
                + "Last-Event-ID: 1\r\n\t2\r\n\r\n",
        ] {
            let client = try bench.client()
            client.send(text)
            try bench.wait { client.text.contains("\r\n\r\n") || client.isAtEnd }
        }
        #expect(bench.daemon.requests.allSatisfy { $0.path == "/v1/a" && $0.method == .get })
        #expect(bench.daemon.requests.allSatisfy { $0.lastEventID?.contains("\n") != true })
    }

    @Test("refuses headers and bodies that are too long, and keeps serving")
    func tooLong() throws {
        let bench = try PageBench()
        let key = try bench.key()
        let header = try bench.client()
        header.send(bench.get("/v1/host", key, "X: \(String(repeating: "x", count: 40_000))\r\n"))
        try bench.wait { header.text.contains("\r\n") }
        #expect(header.text.hasPrefix("HTTP/1.1 431 "))
        let target = try bench.client()
        target.send(bench.get("/v1/" + String(repeating: "x", count: 40_000), key))
        try bench.wait { target.text.contains("\r\n") }
        #expect(target.text.hasPrefix("HTTP/1.1 414 "))
        // A client without a key sends a token, and nothing longer.
        let session = bench.request(
            "POST", "/session",
            "Origin: \(bench.origin)\r\nContent-Type: application/json\r\nContent-Length: 4097\r\n")
        #expect(try bench.reply(session).status == 413)
        #expect(try bench.reply(bench.request("GET", "/", "Content-Length: 5000\r\n")).status == 413)
        for (body, status) in [("{}", 400), ("[", 400), (#"{"token": 5}"#, 400), (#"{"token": "x"}"#, 403)] {
            let text = bench.request("POST", "/session", "Origin: \(bench.origin)\r\n" + PageBench.json(body), body)
            let reply = try bench.reply(text)
            #expect(reply.status == status && reply.has("Content-Type: application/problem+json"), "\(reply)")
        }
        #expect(bench.daemon.requests.isEmpty)
        #expect(try bench.reply(bench.get("/v1/host", key)).status == 200)
    }

    @Test("cuts a client that does not finish its header, and one whose body does not come")
    func slowLoris() throws {
        var limits = PageProxy.limits
        limits.receiving = .milliseconds(100)
        let bench = try PageBench(limits: limits)
        let key = try bench.key()
        let body =
            "POST /v1/runs HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nAuthorization: Bearer \(key)\r\n"
            + "Origin: \(bench.origin)\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        for text in ["", "GET", "GET /v1/host HTTP/1.1\r\nHost: 127", body] {
            let client = try bench.client()
            client.send(text)
            try bench.wait {
                client.read()
                return client.isAtEnd
            }
        }
        #expect(bench.daemon.requests.isEmpty)
    }

    @Test("answers beside hundreds of connections that say nothing, or half a request")
    func crowd() throws {
        let bench = try PageBench()
        let key = try bench.key()
        let silent = try (0..<PageProxy.limits.connections + 20).map { _ in
            defer { try? bench.turn(1) }
            return try bench.client()
        }
        for client in silent.prefix(100) { client.send("GET /v1/host HTTP/1.1\r\nHo") }
        #expect(try bench.reply(bench.get("/v1/host", key)).status == 200)
        _ = silent
    }

    @Test("answers pipelined requests in their order")
    func pipelining() throws {
        let bench = try PageBench()
        let key = try bench.key()
        let texts = (0..<20).map { bench.get("/v1/\($0)", key) }
        let client = try bench.ask(texts.joined(), replies: 20)
        #expect(client.replies.map(\.body) == (0..<20).map { "/v1/\($0)" })
    }

    // MARK: Long replies

    @Test("passes a long body whole, whatever the pace")
    func longBody() throws {
        let bench = try PageBench()
        let key = try bench.key()
        let body = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        bench.daemon.answering = { _, answer in
            answer(ControlReply(status: 200, contentType: "application/octet-stream", body: body))
        }
        let client = try bench.client()
        client.send(bench.get("/v1/record", key))
        try bench.wait {
            client.read(20_000)
            return client.received.count > body.count
        }
        #expect(Array(client.received.suffix(body.count)) == body)
        #expect(client.text.hasPrefix("HTTP/1.1 200") || client.received.starts(with: Array("HTTP/1.1 200".utf8)))
    }

    /// A daemon that sends without end, as fast as it is read from.
    private final class Spring {
        var sent = 0
        var closed = 0
        private var flow: ReplyFlow?

        func answer(_ answer: (ControlReply) -> Void) {
            let flow = ReplyFlow(size: nil)
            self.flow = flow
            flow.hasRoom = { [unowned self] in fill() }
            flow.didClose = { [unowned self] in
                closed += 1
                self.flow = nil
            }
            var reply = ControlReply(status: 200, contentType: "text/event-stream", body: [])
            reply.flow = flow
            answer(reply)
            fill()
        }

        private func fill() {
            guard let flow, flow.room > 0 else { return }
            let bytes = [UInt8](repeating: 0x78, count: flow.room)
            sent += bytes.count
            flow.send(bytes[...])
            // Finds that there is no room, so `hasRoom` follows when there is again.
            _ = flow.room
        }
    }

    @Test("makes the daemon wait for a client that does not read, and no other client")
    func slowReader() throws {
        let bench = try PageBench()
        let key = try bench.key()
        let spring = Spring()
        bench.daemon.answering = { request, answer in
            if request.path == "/v1/spring" { spring.answer(answer) } else { answer(.text([])) }
        }
        let slow = try PageClient(bench.port, room: 4096)
        slow.send(bench.get("/v1/spring", key))
        try bench.wait { spring.sent > 0 }
        try bench.turn(200)
        // The buffers of both servers and of the kernel, and no more.
        let stopped = spring.sent
        #expect(stopped < 8 << 20)
        let wakes = bench.wakes
        try bench.turn(200)
        #expect(spring.sent == stopped)
        #expect(bench.wakes - wakes < 5, "no wait ends early")
        #expect(try bench.reply(bench.get("/v1/host", key)).status == 200)
        // It continues when the client does.
        try bench.wait {
            slow.read()
            return spring.sent > stopped + (1 << 20)
        }
        #expect(spring.closed == 0)
    }

    @Test("leaves a stream of the daemon when its client goes", arguments: [true, false])
    func gone(_ isHalf: Bool) throws {
        let bench = try PageBench()
        let key = try bench.key()
        var flow: ReplyFlow?
        var closed = 0
        bench.daemon.answering = { _, answer in
            let new = ReplyFlow(size: nil)
            new.didClose = { closed += 1 }
            flow = new
            var reply = ControlReply(status: 200, contentType: "text/event-stream", body: [])
            reply.flow = new
            answer(reply)
            new.send(Array("retry: 1000\n\n".utf8)[...])
        }
        var client: PageClient? = try bench.client()
        client?.send(bench.get("/v1/events", key))
        try bench.wait { client?.text.contains("retry: 1000") == true }
        #expect(client?.text.contains("Content-Type: text/event-stream") == true && flow != nil)
        // No wake-up while nothing happens.
        let wakes = bench.wakes
        try bench.turn(100)
        #expect(bench.wakes - wakes <= 3)
        if isHalf { client?.endSending() } else { client = nil }
        try bench.wait { closed == 1 }
    }

    // MARK: Without a daemon

    @Test("answers with a problem while there is no daemon, and reaches the next one")
    func noDaemon() throws {
        let bench = try PageBench()
        let key = try bench.key()
        var flow: ReplyFlow?
        bench.daemon.answering = { request, answer in
            guard request.path == "/v1/events" else { return answer(.text(Array("here".utf8))) }
            let new = ReplyFlow(size: nil)
            flow = new
            var reply = ControlReply(status: 200, contentType: "text/event-stream", body: [])
            reply.flow = new
            answer(reply)
            new.send(Array("data: 1\n\n".utf8)[...])
        }
        let client = try bench.client()
        client.send(bench.get("/v1/events", key))
        try bench.wait { client.text.contains("data: 1") && flow != nil }
        bench.stopDaemon()
        // The stream ends, and not as if that had been all.
        try bench.wait {
            client.read()
            return client.isAtEnd
        }
        #expect(!client.text.hasSuffix("0\r\n\r\n"))
        for path in ["/v1/host", "/metrics", "/"] {
            let reply = try bench.reply(bench.get(path, key))
            #expect(reply.status == 502 && reply.has("Content-Type: application/problem+json"))
            #expect(reply.body.contains("urn:taskhost:problem:unreachable"))
            #expect(reply.body.contains("no host serves this state; ") && reply.body.contains("; start it with"))
        }
        // A link works all the same, and without a key there is no answer.
        #expect(try bench.exchange(try bench.token()).status == 200)
        #expect(try bench.reply(bench.request("GET", "/v1/host")).status == 401)
        try bench.startDaemon()
        #expect(try bench.reply(bench.get("/v1/host", key)).body == "here")
    }

    @Test("reports when the daemon ends before it answers, or answers with something else")
    func nonsense() throws {
        let bench = try PageBench()
        let key = try bench.key()
        var isAsked = false
        bench.daemon.answering = { _, _ in isAsked = true }
        let client = try bench.client()
        client.send(bench.get("/v1/host", key))
        try bench.wait { isAsked }
        bench.stopDaemon()
        try bench.wait { !client.replies.isEmpty }
        #expect([502, 503].contains(client.replies[0].status), "\(client.replies)")

        let listener = try Descriptor.listen(at: bench.folder.path + "/control.sock", mode: 0o600, backlog: 8)
        for (text, status) in [
            ("SSH-2.0-OpenSSH\r\n", 502), ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 502),
            ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 70_000))\r\n", 502), ("", 502),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", 204),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: a=b\r\nAllow: GET\r\n\r\n", 200),
        ] {
            let client = try bench.client()
            client.send(bench.get("/v1/host", key))
            try bench.wait { listener.isReady(.readable) }
            do {
                let peer = try listener.accept()
                try bench.wait { peer.isReady(.readable) }
                var rest = Array(text.utf8)[...]
                try bench.wait {
                    rest = rest.dropFirst((try? peer.sendAtOnce(rest)) ?? rest.count)
                    return rest.isEmpty
                }
            }
            try bench.wait { client.text.contains("\r\n\r\n") }
            #expect(client.text.hasPrefix("HTTP/1.1 \(status) "), "\(client.text)")
            #expect(!client.text.contains("Set-Cookie"))
            if status == 200 { #expect(client.text.lowercased().contains("allow: get")) }
        }
    }
}
