import Control
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Malformed requests")
struct MalformedInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var what: String
        var text: String
        var status: Int
        /// The reply comes from a route's own checks, as a problem document, and not from the HTTP library.
        var isProblem = true
        var testDescription: String { what }
    }

    static let json = "Content-Type: application/json\r\n"
    static let cases: [Case] = [
        Case(what: "no Host", text: "GET / HTTP/1.1\r\n\r\n", status: 400, isProblem: false),
        Case(
            what: "a bad length", text: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n", status: 400,
            isProblem: false),
        Case(
            what: "a negative length", text: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", status: 400,
            isProblem: false),
        Case(
            what: "a bad chunk", text: "POST / HTTP/1.1\r\nHost: h\r\n\(json)Transfer-Encoding: chunked\r\n\r\nzz\r\n",
            status: 400, isProblem: false),
        Case(
            what: "a header without a colon", text: "GET / HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n", status: 400,
            isProblem: false),
        Case(what: "HTTP/2.0", text: "GET / HTTP/2.0\r\nHost: h\r\n\r\n", status: 505, isProblem: false),
        Case(
            what: "a header beyond the pool",
            text: get("/", "X: \(String(repeating: "x", count: 40_000))\r\n"), status: 431, isProblem: false),
        Case(
            what: "a target beyond the pool", text: get("/" + String(repeating: "x", count: 40_000)), status: 414,
            isProblem: false),
        Case(
            what: "a length beyond the limit",
            text: "POST / HTTP/1.1\r\nHost: h\r\n\(json)Content-Length: 1048577\r\n\r\n", status: 413),
        Case(
            what: "a length beyond any number",
            text: "POST / HTTP/1.1\r\nHost: h\r\n\(json)Content-Length: 18446744073709551614\r\n\r\n", status: 413),
        Case(
            what: "an encoding that is not known",
            text: "POST / HTTP/1.1\r\nHost: h\r\n\(json)Transfer-Encoding: gzip\r\n\r\n",
            status: 501),
        Case(
            what: "an encoding and a length",
            text:
                "POST / HTTP/1.1\r\nHost: h\r\n\(json)Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
            status: 400),
        Case(
            what: "two lengths",
            text: "POST / HTTP/1.1\r\nHost: h\r\n\(json)Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}", status: 400),
        Case(
            what: "a form", text: post("/", "a=b", "Content-Type: application/x-www-form-urlencoded\r\n"), status: 415),
        Case(what: "a body without a type", text: post("/", "{}", ""), status: 415),
        Case(what: "a compressed body", text: post("/", "{}", json + "Content-Encoding: gzip\r\n"), status: 415),
        Case(what: "an odd method", text: "BREW /pot HTTP/1.1\r\nHost: h\r\n\r\n", status: 405),
        Case(what: "OPTIONS *", text: "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", status: 400),
        Case(what: "a NUL in the path", text: get("/v1/tasks/a%00b"), status: 400),
        Case(what: "half an escape", text: get("/v1/tasks/a%4"), status: 400),
        Case(what: "what is no UTF-8", text: get("/v1/tasks/%FF"), status: 400),
        Case(what: "a whole URL", text: "GET http://x/y HTTP/1.1\r\nHost: h\r\n\r\n", status: 400),
        Case(what: "too many parameters", text: get("/?" + String(repeating: "a=b&", count: 40)), status: 400),
    ]

    @Test("are refused with their status before the handler sees them", arguments: cases)
    func refuses(_ sample: Case) throws {
        let bench = try Bench()
        let client = try bench.client()
        client.send(sample.text)
        // Of replies of the HTTP library itself the first line is what can be relied on.
        try bench.wait { client.text.contains("\r\n") }
        #expect(client.text.hasPrefix("HTTP/1.1 \(sample.status) "), "\(client.text)")
        #expect(bench.handler.requests.isEmpty)
        if sample.isProblem {
            try bench.wait { client.replies.count == 1 }
            let reply = try #require(client.replies.first)
            #expect(reply.head.contains("application/problem+json"))
            #expect(reply.body.contains(#""status":\#(sample.status)"#))
            if sample.status == 405 { #expect(reply.head.contains("Allow: GET, POST, PATCH, DELETE, HEAD")) }
        } else {
            try bench.wait {
                client.read()
                return client.isAtEnd
            }
        }
        // The next client is served.
        #expect(try bench.ask(get("/next")).statuses == [200])
    }

    static let garbage: [[UInt8]] = [
        [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03], Array(repeating: 0, count: 100),
        Array("\r\n\r\n\r\n".utf8), Array("GET".utf8), [0xFF],
    ]
    @Test("that are none at all are cut at the end of their time", arguments: garbage)
    func cutsGarbage(_ bytes: [UInt8]) throws {
        var limits = ServerLimits()
        limits.receiving = .milliseconds(50)
        let bench = try Bench(limits: limits)
        let client = try bench.client()
        _ = client.send(bytes)
        try bench.wait {
            client.read()
            return client.isAtEnd
        }
        #expect(bench.handler.requests.isEmpty)
    }

    @Test("Odd requests that HTTP allows are answered")
    func allowed() throws {
        let bench = try Bench()
        let texts = [
            "GET /a HTTP/1.0\r\n\r\n", "\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n", get("/a?b=c+d&&e"),
            "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n",
            post("/a", "{}", "content-type: Application/JSON; charset=utf-8\r\n"),
            "POST /a HTTP/1.1\r\nHost: h\r\n\(Self.json)Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
            "DELETE /a HTTP/1.1\r\nHost: h\r\n\r\n", "PATCH /a HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
        ]
        for text in texts {
            let client = try bench.client()
            client.send(text)
            try bench.wait { client.text.contains("\r\n\r\n") }
            #expect(client.text.hasPrefix("HTTP/1.1 200"), "\(text): \(client.text)")
        }
        #expect(bench.handler.requests.count == texts.count)
        #expect(bench.handler.requests.allSatisfy { $0.path == "/a" })
        #expect(bench.handler.requests[5].body == Array("{}".utf8))
        #expect(bench.handler.requests[2].query.map(\.value) == ["c d", ""])
    }
}
