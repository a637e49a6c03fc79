import Control
import TestSupport
import Testing

@Suite("Where a request comes from")
struct SourceTests {
    private static let methods = ["GET", "POST", "PATCH", "DELETE"]

    @Test(
        "a foreign Host is refused, with a body and without, before the path counts",
        arguments: [
            "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.0.1",
            "10.0.0.1:80", "127.0.0.256", "[2001:db8::1]", "[::1].evil.example:x", ".", "a.b", "xn--e1awd7f.com",
        ])
    func foreignHost(_ host: String) throws {
        let bench = try Bench()
        for method in Self.methods {
            for body in ["", "Content-Type: application/json\r\nContent-Length: 2\r\n"] {
                let tail = body.isEmpty ? "" : "{}"
                let client = try bench.ask("\(method) /a HTTP/1.1\r\nHost: \(host)\r\n\(body)\r\n\(tail)")
                let reply = try #require(client.replies.first)
                #expect(reply.status == 403 && reply.body.contains("urn:taskhost:problem:foreign-host"), "\(reply)")
            }
        }
        #expect(bench.handler.requests.isEmpty)
    }

    @Test(
        "this machine's own names are none",
        arguments: [
            "localhost", "localhost:8080", "LOCALHOST", "127.0.0.1", "127.1.2.3:1", "[::1]", "[::1]:80", "h", "unix",
            "",
        ])
    func ownHost(_ host: String) throws {
        let bench = try Bench()
        let client = try bench.ask("DELETE /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(client.replies.first?.status == 200)
    }

    @Test(
        "a foreign Origin is refused, with a body and without",
        arguments: [
            "http://evil.example", "https://evil.example", "null", "http://localhost:3000", "file://", "http://", "h",
        ])
    func foreignOrigin(_ origin: String) throws {
        let bench = try Bench()
        for method in Self.methods {
            let client = try bench.ask("\(method) /a HTTP/1.1\r\nHost: localhost\r\nOrigin: \(origin)\r\n\r\n")
            let reply = try #require(client.replies.first)
            #expect(reply.status == 403 && reply.body.contains("urn:taskhost:problem:foreign-origin"), "\(reply)")
        }
        let stream = try bench.ask("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nOrigin: \(origin)\r\n\r\n")
        #expect(stream.replies.first?.status == 403)
        #expect(bench.handler.requests.isEmpty && bench.handler.streams.isEmpty)
    }

    @Test("one's own origin is none, and a second Host is")
    func others() throws {
        let bench = try Bench()
        let own = try bench.ask("GET /a HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n")
        #expect(own.replies.first?.status == 200)
        let twice = try bench.ask("GET /a HTTP/1.1\r\nHost: localhost\r\nHost: h\r\n\r\n")
        #expect([400, 403].contains(twice.replies.first?.status))
        let none = try bench.ask("GET /a HTTP/1.0\r\n\r\n")
        #expect(none.replies.first?.status == 200)
    }

    @Test("the handler of a stream gets the event that the client has seen last")
    func lastEvent() throws {
        let bench = try Bench()
        let client = try bench.client()
        client.send(get("/v1/events", "Last-Event-ID: 17\r\n"))
        try bench.wait { bench.handler.streams.count == 1 }
        #expect(bench.handler.streams[0].lastEventID == "17")
        let other = try bench.client()
        other.send(get("/v1/events"))
        try bench.wait { bench.handler.streams.count == 2 }
        #expect(bench.handler.streams[1].lastEventID == nil)
    }
}
