import Control
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Limits of the control server")
struct LimitTests {
    static let chunked =
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Sends more than the socket's buffer takes.
    private func push(_ bytes: [UInt8], _ client: RawClient, _ bench: Bench) throws {
        var rest = bytes[...]
        try bench.wait {
            client.read()
            let count = client.send(Array(rest.prefix(64 << 10)))
            if count > 0 { rest = rest.dropFirst(count) }
            return rest.isEmpty || client.isAtEnd
        }
    }

    private func chunks(_ count: Int) -> [UInt8] {
        let piece = Array("10000\r\n".utf8) + Array(repeating: UInt8(ascii: " "), count: 65_536) + [0x0D, 0x0A]
        var all: [UInt8] = []
        for _ in 0..<count { all.append(contentsOf: piece) }
        return all
    }

    @Test("Requests with large bodies reach the handler one a turn, and hold up no small one")
    func large() throws {
        let bench = try Bench()
        let body = #"{"a": "\#(String(repeating: "x", count: 32 << 10))"}"#
        let clients = try (0..<6).map { _ in try bench.client() }
        for client in clients { client.send(post("/large", body)) }
        let small = try bench.client()
        small.send(get("/small"))
        var (known, most) = (0, 0)
        try bench.wait {
            let large = bench.handler.requests.count { $0.path == "/large" }
            most = max(most, large - known)
            known = large
            return clients.allSatisfy { $0.statuses == [200] } && small.statuses == [200]
        }
        #expect(known == 6 && most == 1)
        #expect(bench.handler.requests.allSatisfy { $0.path == "/small" || $0.body.count == body.utf8.count })
    }

    @Test("A body of 1 MiB is taken, one byte more is refused unread, whatever its form")
    func bodies() throws {
        let bench = try Bench()
        let head = { (length: Int) in
            "POST /a HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\r\n"
        }
        let whole = try bench.client()
        try push(Array(head(1 << 20).utf8) + Array(repeating: 32, count: 1 << 20), whole, bench)
        try bench.wait { whole.replies.count == 1 }
        #expect(whole.statuses == [200])
        #expect(bench.handler.requests[0].body.count == 1 << 20)

        let expecting = try bench.ask(
            head((1 << 20) + 1).replacing("\r\n\r\n", with: "\r\nExpect: 100-continue\r\n\r\n"))
        #expect(expecting.statuses == [413])

        let streamed = try bench.client()
        try push(Array(Self.chunked.utf8) + chunks(17) + Array("0\r\n\r\n".utf8), streamed, bench)
        try bench.wait { streamed.replies.count == 1 }
        #expect(streamed.statuses == [413])
        #expect(bench.handler.requests.count == 1)
    }

    @Test("A body without an end is cut")
    func endlessBody() throws {
        let bench = try Bench()
        let client = try bench.client()
        try push(Array(Self.chunked.utf8) + chunks(200), client, bench)
        try bench.wait {
            client.read()
            return client.isAtEnd
        }
        #expect(bench.handler.requests.isEmpty)
    }

    static let stalled = [
        "GET /a HTTP/1.1\r\nHost:",
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
        chunked + "5\r\n{",
    ]
    @Test("A request that stalls is cut at the end of its time", arguments: stalled)
    func stalls(_ text: String) throws {
        var limits = ServerLimits()
        limits.receiving = .milliseconds(50)
        let bench = try Bench(limits: limits)
        let client = try bench.client()
        client.send(text)
        try bench.wait {
            client.read()
            return client.isAtEnd && bench.server.connectionCount == 0
        }
        #expect(bench.handler.requests.isEmpty)
    }

    @Test("A request that comes byte by byte has no more time than any other")
    func slowLoris() throws {
        var limits = ServerLimits()
        limits.receiving = .milliseconds(100)
        let bench = try Bench(limits: limits)
        let client = try bench.client()
        client.send("GET /a HTTP/1.1\r\nHost: h\r\n")
        var sent = 0
        try bench.wait {
            client.send("X")
            sent += 1
            client.read()
            return client.isAtEnd
        }
        #expect(sent > 1)
        #expect(bench.handler.requests.isEmpty)
    }

    @Test("Two hundred idle connections cost no wake-up until their time ends")
    func idleConnections() throws {
        let bench = try Bench()
        let clients = try (0..<200).map { _ in try bench.client() }
        for client in clients { client.send(get("/a")) }
        try bench.wait { clients.allSatisfy { $0.replies.count == 1 } }
        #expect(bench.server.connectionCount == 200)
        let before = bench.loop.wakes
        // Nothing happens: the one wake-up is the end of this very wait.
        #expect(try !bench.loop.run(for: .milliseconds(200)) { false })
        #expect(bench.loop.wakes - before <= 2)
        clients[7].send(get("/b"))
        try bench.wait { clients[7].replies.count == 2 }
    }

    @Test("Idle connections are closed after their time, busy ones are not")
    func idleEnd() throws {
        var limits = ServerLimits()
        limits.idle = .milliseconds(50)
        let bench = try Bench(limits: limits)
        var answers: [(ControlReply) -> Void] = []
        bench.handler.answering = { request, answer in
            if request.path == "/wait" { answers.append(answer) } else { answer(.text([])) }
        }
        let busy = try bench.client()
        busy.send(get("/wait"))
        let idle = try bench.ask(get("/a"))
        try bench.wait {
            idle.read()
            return idle.isAtEnd && bench.server.connectionCount == 1
        }
        answers[0](.text(Array("late".utf8)))
        try bench.wait { busy.replies.count == 1 }
        #expect(busy.replies[0].body == "late")
    }

    @Test("At the limit an idle connection makes room; when all are busy the next one waits")
    func connectionLimit() throws {
        var limits = ServerLimits()
        limits.connections = 4
        let bench = try Bench(limits: limits)
        let idle = try (0..<4).map { _ in try bench.ask(get("/a")) }
        #expect(try bench.ask(get("/b")).statuses == [200])
        #expect(bench.server.connectionCount <= 4)
        idle.forEach { $0.read() }
        #expect(idle.contains { $0.isAtEnd })

        // Those that connect and say nothing keep no client out.
        let silent = try (0..<4).map { _ in try bench.client() }
        #expect(try bench.ask(get("/b")).statuses == [200])
        silent.forEach { $0.read() }
        #expect(silent.contains { $0.isAtEnd })

        var answers: [(ControlReply) -> Void] = []
        bench.handler.answering = { answers.append($1) }
        let busy = try (0..<4).map { _ in try bench.client() }
        for client in busy { client.send(get("/c")) }
        try bench.wait { answers.count == 4 }
        let next = try bench.client()
        next.send(get("/d"))
        let before = bench.loop.wakes
        #expect(try !bench.loop.run(for: .milliseconds(100)) { answers.count > 4 })
        #expect(bench.loop.wakes - before < 10, "a full server does not spin")
        answers[0](ControlReply(status: 200, contentType: "text/plain", body: [], headers: [("Connection", "close")]))
        try bench.wait { answers.count == 5 }
    }

    @Test("Without a descriptor left the server rests instead of spinning, and continues when there is one")
    func descriptorLimit() async {
        await #expect(processExitsWith: .success) {
            let bench = try Bench()
            let clients = try (0..<8).map { _ in try bench.client() }
            // Room for five connections and not for all. The numbers above the clients' may be taken: what runs the test
            // leaves its own descriptors in this process.
            let free = (0..<5).map { _ in dup(0) }
            free.forEach { close($0) }
            guard let highest = free.max(), highest > 0 else { exit(6) }
            var limit = rlimit(rlim_cur: rlim_t(highest) + 1, rlim_max: 1024)
            guard setrlimit(__rlimit_resource_t(7), &limit) == 0 else { exit(2) }  // RLIMIT_NOFILE
            for client in clients { client.send(get("/a")) }
            guard try bench.loop.run(until: { clients.count { $0.replies.count == 1 } >= 2 }) else { exit(3) }
            let before = bench.loop.wakes
            _ = try bench.loop.run(for: .milliseconds(500)) { false }
            guard bench.loop.wakes - before <= 12 else { exit(4) }
            limit.rlim_cur = 512
            setrlimit(__rlimit_resource_t(7), &limit)
            guard try bench.loop.run(until: { clients.allSatisfy { $0.replies.count == 1 } }) else { exit(5) }
            exit(0)
        }
    }
}
