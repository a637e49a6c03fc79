import TaskModel
import TestSupport
import Testing
import Wire

@Suite("Redirects, by real servers", .disabled(if: Places.isSanitized, "the built program is another one"))
struct RedirectingTests {
    @Test func `A chain of redirects is followed to its end, and the last URL is reported`() throws {
        let web = try WebServer()
        let origin = try Origin()
        let content = Bench.content(30_000)
        try web.add("file", content)
        let bench = try Bench()
        let target = web.url("file")
        let order = bench.order(origin.url("redirect?left=5&to=\(target)"))
        let result = try bench.run(order)
        #expect(result.kind == .finished, "\(result)")
        #expect(try bench.bytes() == content)
        #expect(bench.answer(of: order)?.response.url == target)
        #expect(bench.reports[order.transfer]?.count { if case .answered = $0 { true } else { false } } == 1)
    }

    @Test func `So many redirects are followed, and no more`() throws {
        let origin = try Origin()
        try origin.add("file", [1])
        let bench = try Bench()
        func run(_ hops: Int) throws -> TransferResult {
            try bench.run(
                bench.order(origin.url("redirect?left=\(hops - 1)&to=/ranges%3Ffile=file")), file: "hops-\(hops)")
        }
        #expect(try run(TransferLimit.redirects).kind == .finished)
        let result = try run(TransferLimit.redirects + 1)
        #expect(result.kind == .failed && result.error == .tooManyRedirects, "\(result)")
        let loop = try bench.run(bench.order(origin.url("loop")), file: "loop")
        #expect(loop.kind == .failed && loop.error == .tooManyRedirects)
        try origin.wait(forAnswer: "GET /loop 302", count: TransferLimit.redirects + 1)
    }

    @Test func `A redirect leads nowhere that is not granted, and no server there is asked`() throws {
        let origin = try Origin()
        let other = try SilentServer()
        let bench = try Bench()
        for target in [
            "http://127.0.0.1:\(other.port)/", "http://localhost:\(other.port)/", "http://127.1:\(other.port)/x",
        ] {
            var order = bench.order(origin.url("redirect?to=\(target)"))
            order.grants = [NetworkGrant(.loopback, port: origin.port)]
            let result = try bench.run(order)
            #expect(result.kind == .failed && result.error == .notPermitted, "\(target): \(result)")
            #expect(result.sentence.contains("\(other.port)"))
        }
    }

    @Test func `An address that its name must not stand for is not connected to`() throws {
        let origin = try Origin()
        try origin.add("file", [1])
        let bench = try Bench()
        // Nor is it touched.
        let watched = try FaultProxy(to: origin.port, plan: .pass)
        var denied = bench.order("http://localhost:\(watched.port)/ranges?file=file")
        denied.grants = [NetworkGrant(.any, port: nil)]
        #expect(try bench.run(denied).error == .notPermitted)
        #expect(try bench.run(bench.order("http://localhost:\(watched.port)/ranges?file=file")).kind == .finished)
        try watched.wait(for: "open pass")
        #expect(watched.connections == 1)
        // localhost has no public address: the grant of every host does not grant this one.
        for grant in [NetworkGrant(.any, port: nil), NetworkGrant(.name("localhost"), port: nil)] {
            var order = bench.order("http://localhost:\(origin.port)/ranges?file=file")
            order.grants = [grant]
            let result = try bench.run(order)
            #expect(result.kind == .failed && result.error == .notPermitted, "\(result)")
        }
        // Nor on a connection that another transfer has left.
        #expect(try bench.run(bench.order("http://localhost:\(origin.port)/ranges?file=file")).kind == .finished)
        var order = bench.order("http://localhost:\(origin.port)/echo")
        order.grants = [NetworkGrant(.any, port: nil)]
        #expect(try bench.run(order).error == .notPermitted)
        #expect(!origin.answers.contains { $0.contains("/echo") })
        #expect(try bench.run(bench.order(origin.url("echo"))).kind == .finished)
        try origin.wait(forAnswer: "GET /echo 200")
    }

    @Test func `Secrets go to no other origin`() throws {
        let origin = try Origin()
        let other = try Origin()
        let bench = try Bench()
        var order = bench.order(origin.url("redirect?to=\(other.url("echo"))"))
        order.headers = [
            HTTPHeader("Authorization", "Bearer secret"), HTTPHeader("Cookie", "a=b"), HTTPHeader("X-Own", "1"),
        ]
        #expect(try bench.run(order).kind == .finished)
        let text = String(decoding: try bench.bytes(), as: UTF8.self)
        #expect(!text.contains("secret") && !text.contains("a=b") && text.contains("x-own: 1"), "\(text)")
        order.transfer.index += 50
        order.url = origin.url("redirect?to=/echo")
        #expect(try bench.run(order, file: "second").kind == .finished)
        #expect(String(decoding: try bench.bytes("second"), as: UTF8.self).contains("authorization: Bearer secret"))
        // Of the URL too, and the order's user.
        for target in [other.url("echo"), origin.url("echo")] {
            var order = bench.order(
                origin.url("redirect?to=\(target)").replacing("http://", with: "http://ada:secret@"))
            order.transfer.index += 100
            #expect(try bench.run(order, file: "third").kind == .finished)
            #expect(!String(decoding: try bench.bytes("third"), as: UTF8.self).contains("authorization"), "\(target)")
        }
    }

    @Test func `An upload follows with its content or without, as the status says`() throws {
        let origin = try Origin()
        let bench = try Bench()
        let content = Bench.content(200_000)
        let order = try bench.upload(origin.url("redirect?code=307&to=/sink%3Fname=kept"), content)
        #expect(try bench.runUpload(order).kind == .finished)
        #expect(try origin.folder.names().contains("kept"))
        let post = try bench.upload(origin.url("redirect?code=303&to=/echo"), content, method: "POST")
        #expect(try bench.runUpload(post).kind == .finished)
        #expect(try bench.answer.hasPrefix("GET /echo\n"))
    }
}
