import Linux
import TaskModel
import TestSupport
import Testing
import Wire
@testable import Transfer

@Suite("Certificates of transfers", .disabled(if: Places.isSanitized, "the built program is another one"))
struct SecurityTests {
    private let web: WebServer
    private let authority: Authority
    private let bench: Bench
    private static let content = Bench.content(40_000)

    init() throws {
        web = try WebServer()
        try web.add("file", Self.content)
        authority = try Authority.shared.get()
        bench = try Bench()
    }

    private func order(_ door: WebServer.Door) throws -> TransferOrder {
        var order = bench.order(web.url("file", by: door))
        order.authorities = try authority.bytes(authority.path)
        return order
    }

    @Test func `The manifest's authority is trusted, the system's is not then`() throws {
        let result = try bench.run(order(.secure))
        #expect(result.kind == .finished, "\(result)")
        #expect(try bench.bytes() == Self.content)
        // The system's store does not have the authority of this test.
        let strange = try bench.run(bench.order(web.url("file", by: .secure)))
        #expect(strange.kind == .failed && strange.error == .serverCertificateUntrusted, "\(strange)")
        var broken = bench.order(web.url("file", by: .secure))
        broken.authorities = Array("no certificate at all".utf8)
        let unread = try bench.run(broken)
        #expect(unread.kind == .failed && unread.error == .serverCertificateUntrusted, "\(unread)")
    }

    @Test(arguments: [WebServer.Door.elsewhere, .expired])
    func `A certificate of another name, or of yesterday, is not trusted`(door: WebServer.Door) throws {
        let result = try bench.run(order(door))
        #expect(result.kind == .failed && result.error == .serverCertificateUntrusted, "\(result)")
        #expect(!result.sentence.isEmpty && result.sentence.contains("127.0.0.1"), "\(result.sentence)")
    }

    @Test func `A pin has to be the server's`() throws {
        let pin = try authority.pin("server")
        let other = try authority.pin("client")
        for (pins, isFine) in [
            ([pin], true), ([other, pin], true), ([other], false), (["sha256/short"], false), (["md5/x"], false),
        ] {
            var order = try order(.secure)
            order.pins = pins
            let result = try bench.run(order)
            #expect((result.kind == .finished) == isFine, "\(pins): \(result)")
            #expect(isFine || (result.kind == .failed && result.error == .serverCertificateUntrusted))
        }
    }

    @Test func `A client's certificate is shown to who asks for it`() throws {
        var order = try order(.clientCertificate)
        // nginx says it by HTTP.
        #expect(try bench.run(order).kind == .finished)
        #expect(bench.answer(of: order)?.response.status == 400)
        order.transfer.index += 50
        order.certificate = try authority.bytes(authority.certificate("client"))
        order.key = try authority.bytes(authority.key("client"))
        let result = try bench.run(order)
        #expect(result.kind == .finished && bench.answer(of: order)?.response.status == 200, "\(result)")
        #expect(try bench.bytes() == Self.content)
        let locked = try Folder()
        let words = [
            "pkcs8", "-topk8", "-v2", "aes-128-cbc", "-passout", "pass:secret", "-in", authority.key("client"), "-out",
            locked.path + "/key",
        ]
        #expect(try Program("openssl", words).finish().succeeded)
        // A key of another certificate, what is no key, and one with a passphrase.
        for key in [
            try authority.bytes(authority.key("stranger")), Array("no key".utf8), [],
            try authority.bytes(locked.path + "/key"),
        ] {
            order.transfer.index += 1
            order.key = key
            let result = try bench.run(order)
            #expect(result.kind == .failed && result.error == .clientCertificateRejected, "\(result)")
        }
    }

    @Test func `A server that ends the conversation for lack of a certificate is understood`() throws {
        let origin = try Origin(clientCertificates: authority)
        var order = bench.order(origin.url("echo"))
        order.authorities = try authority.bytes(authority.path)
        let none = try bench.run(order)
        #expect(none.kind == .failed && none.error == .clientCertificateRequired, "\(none)")
        for (name, kind) in [("stranger", TransferResult.Kind.failed), ("client", .finished)] {
            order.transfer.index += 50
            order.certificate = try authority.bytes(authority.certificate(name))
            order.key = try authority.bytes(authority.key(name))
            let result = try bench.run(order)
            #expect(result.kind == kind, "\(name): \(result)")
            #expect(result.error == (kind == .failed ? .clientCertificateRejected : nil))
        }
    }

    @Test func `A server without TLS has failed, also behind another address that refused`() throws {
        // Where the name stands for ::1 as well, no process listens there, and the system's error is that.
        for host in ["127.0.0.1", "localhost"] {
            var order = bench.order("https://\(host):\(web.port())/file")
            order.transfer.index += host == "localhost" ? 50 : 0
            let result = try bench.run(order)
            #expect(result.kind == .failed && result.error == .secureConnectionFailed, "\(host): \(result)")
        }
    }

    @Test(arguments: [FaultProxy.Fault.cut(0), .reset(0), .cutUpload(1)])
    func `A connection that ends in the handshake is lost, and no refusal`(fault: FaultProxy.Fault) throws {
        let proxy = try FaultProxy(to: web.port(.secure), plan: fault)
        var order = try order(.secure)
        order.url = "https://127.0.0.1:\(proxy.port)/file"
        let result = try bench.run(order)
        #expect(result.kind == .interrupted && result.error == .connectionLost, "\(result)")
    }

    @Test func `A connection that is reset before anyone has looked is lost as well`() {
        #expect(CurlFailure.error(ofConnect: .ECONNRESET) == .connectionLost)
        #expect(CurlFailure.error(ofConnect: .ECONNREFUSED) == .cannotConnectToHost)
        #expect(CurlFailure.error(ofConnect: .ENETUNREACH) == .notConnectedToInternet)
    }

    @Test func `Trust and certificates do not follow to another host`() throws {
        let origin = try Origin(clientCertificates: authority)
        var order = bench.order(web.url("hop", by: .secure).replacing("127.0.0.1", with: "localhost"))
        order.url = "https://localhost:\(web.port(.secure))/moved/file"
        order.authorities = try authority.bytes(authority.path)
        // The same host.
        #expect(try bench.run(order).kind == .finished)
        let away = try WebServer(locations: "location /away { return 302 \(origin.url("echo")); }")
        order.transfer.index += 50
        order.url = "https://localhost:\(away.port(.secure))/away"
        order.certificate = try authority.bytes(authority.certificate("client"))
        order.key = try authority.bytes(authority.key("client"))
        let result = try bench.run(order)
        #expect(result.kind == .failed && result.error == .serverCertificateUntrusted, "\(result)")
    }
}
