import Foundation
import TaskModel
import TestSupport
import Testing
import Wire

@Suite("Servers that ask who is there", .disabled(if: Places.isSanitized, "the built program is another one"))
struct SigningInTests {
    @Test(arguments: [
        ("basic", TransferChallenge.Method.basic), ("digest?algorithm=MD5", .digest),
        ("digest?algorithm=SHA-256", .digest),
    ])
    func `A server's question ends the attempt, and the answer to it gets the file`(
        place: String, method: TransferChallenge.Method
    ) throws {
        let origin = try Origin()
        let bench = try Bench()
        let first = try bench.run(bench.order(origin.url(place)))
        #expect(first.kind == .challenged, "\(first)")
        let challenge = try #require(first.challenge)
        #expect(challenge.method == method && challenge.realm == "the lab" && challenge.failures == 0)
        #expect(
            challenge.host == "127.0.0.1" && challenge.port == origin.port && !challenge.isSecure && !challenge.isProxy)
        var second = bench.order(origin.url(place))
        second.user = "ada"
        second.password = "secret"
        let result = try bench.run(second)
        #expect(result.kind == .finished, "\(result)")
        #expect(try bench.bytes() == Array("welcome 0\n".utf8))
        #expect(bench.answer(of: second)?.response.status == 200)
        var wrong = bench.order(origin.url(place))
        wrong.user = "ada"
        wrong.password = "wrong"
        let third = try bench.run(wrong)
        #expect(third.kind == .challenged && third.challenge?.failures == 1, "\(third)")
    }

    @Test func `A token is the request's own field`() throws {
        let origin = try Origin()
        let bench = try Bench()
        #expect(try bench.run(bench.order(origin.url("bearer"))).challenge?.method == .bearer)
        for (token, kind) in [("stale", TransferResult.Kind.challenged), ("good", .finished)] {
            var order = bench.order(origin.url("bearer"))
            order.headers = [HTTPHeader("Authorization", "Bearer \(token)")]
            let result = try bench.run(order)
            #expect(result.kind == kind)
            #expect(result.challenge?.failures == (token == "stale" ? 1 : nil))
        }
    }

    @Test func `Where no process can answer a challenge, the 401 is the answer`() throws {
        let origin = try Origin()
        let bench = try Bench()
        var order = bench.order(origin.url("basic"))
        order.acceptsChallenge = true
        #expect(try bench.run(order).kind == .finished)
        #expect(bench.answer(of: order)?.response.status == 401)
        #expect(try bench.bytes() == Array("who are you?\n".utf8))
        // A 401 that asks nothing.
        let bare = bench.order(origin.url("status?code=401"))
        #expect(try bench.run(bare).kind == .finished)
        #expect(bench.answer(of: bare)?.response.status == 401)
    }

    @Test func `A question leaves what the file holds alone`() throws {
        let web = try WebServer()
        let content = Bench.content(50_000)
        try web.add("file", content)
        let bench = try Bench()
        try bench.folder.write("part", Array(content[..<20_000]))
        var order = bench.order(web.url("basic/file"))
        order.offset = 20_000
        order.validator = "\"whatever\""
        #expect(try bench.run(order).kind == .challenged)
        #expect(try bench.bytes().count == 20_000)
    }

    @Test func `Credentials are for the place that asked`() throws {
        let origin = try Origin()
        let other = try Origin()
        let bench = try Bench()
        var order = bench.order(origin.url("redirect?to=\(other.url("basic"))"))
        order.user = "ada"
        order.password = "secret"
        let first = try bench.run(order)
        #expect(first.kind == .challenged && first.challenge?.port == other.port && first.challenge?.failures == 0)
        order.transfer.index += 50
        order.credentialsPlace = TransferOrder.place("127.0.0.1", port: other.port, isSecure: false)
        #expect(try bench.run(order).kind == .finished)
        try origin.wait(forAnswer: "GET /redirect", count: 2)
        #expect(!origin.answers.contains { $0.contains("authorization=") })
    }

    @Test func `A token is for the place that asked, and for no other scheme`() throws {
        let origin = try Origin()
        let other = try Origin()
        let bench = try Bench()
        var order = bench.order(origin.url("redirect?to=\(other.url("echo"))"))
        (order.password, order.isToken) = ("a-token", true)
        for isSecure in [false, true] {
            order.transfer.index += 50
            order.credentialsPlace = TransferOrder.place("127.0.0.1", port: other.port, isSecure: isSecure)
            #expect(try bench.run(order).kind == .finished)
            let shown = String(decoding: try bench.bytes(), as: UTF8.self)
            #expect(shown.contains("Bearer a-token") != isSecure, "\(shown)")
        }
        try origin.wait(forAnswer: "GET /redirect", count: 2)
        #expect(!origin.answers.contains { $0.contains("authorization=") })
    }

    @Test(arguments: ["basic", "digest"])
    func `An upload signs in and is sent whole`(place: String) throws {
        let origin = try Origin()
        let bench = try Bench()
        let content = Bench.content(3_000_000)
        #expect(try bench.runUpload(bench.upload(origin.url(place), content)).kind == .challenged)
        var order = try bench.upload(origin.url(place), content)
        order.user = "ada"
        order.password = "secret"
        let result = try bench.runUpload(order)
        #expect(result.kind == .finished && result.sent == 3_000_000, "\(result)")
        #expect(try bench.answer == "welcome 3000000\n")
    }

    @Test func `A proxy is asked, and asks`() throws {
        let web = try WebServer()
        let content = Bench.content(50_000)
        try web.add("file", content)
        let authority = try Authority.shared.get()
        let bench = try Bench()
        let open = try ForwardProxy()
        let closed = try ForwardProxy(credentials: "ada:secret")
        for door in [WebServer.Door.plain, .secure] {
            func order(_ proxy: String) throws -> TransferOrder {
                var order = bench.order(web.url("file", by: door))
                order.proxy = proxy
                order.authorities = try authority.bytes(authority.path)
                return order
            }
            #expect(try bench.run(order(open.url)).kind == .finished)
            #expect(try bench.bytes() == content)
            let asked = try bench.run(order(closed.url))
            #expect(asked.kind == .challenged, "\(door): \(asked)")
            #expect(asked.challenge?.isProxy == true && asked.challenge?.port == closed.port)
            #expect(asked.challenge?.realm == "the gate" && asked.challenge?.failures == 0)
            let wrong = try bench.run(order("http://ada:wrong@127.0.0.1:\(closed.port)"))
            #expect(wrong.kind == .challenged && wrong.challenge?.failures == 1, "\(wrong)")
            let right = try order("http://ada:secret@127.0.0.1:\(closed.port)")
            #expect(try bench.run(right, file: "by-proxy-\(door)").kind == .finished)
            #expect(try bench.bytes("by-proxy-\(door)") == content)
        }
        try open.wait(forAnswer: "CONNECT 127.0.0.1:\(web.port(.secure)) open")
    }

    @Test func `A proxy has to be granted, and what is asked of it too`() throws {
        let web = try WebServer()
        try web.add("file", [1])
        let bench = try Bench()
        let proxy = try ForwardProxy()
        for (granted, isFine) in [(web.port(), false), (proxy.port, false)] {
            var order = bench.order(web.url("file"))
            order.proxy = proxy.url
            order.grants = [NetworkGrant(.loopback, port: granted)]
            let result = try bench.run(order)
            #expect((result.kind == .finished) == isFine && result.error == .notPermitted, "\(result)")
        }
    }
}
