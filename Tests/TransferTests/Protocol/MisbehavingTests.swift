import TaskModel
import TestSupport
import Testing
import Wire

@Suite("Servers and networks that misbehave", .disabled(if: Places.isSanitized, "the built program is another one"))
struct MisbehavingTests {
    private static let content = Bench.content(300_000)

    @Test(
        arguments: [
            ("endless-head", TransferResult.Kind.failed, TransferError.badServerResponse),
            ("endless-field", .failed, .badServerResponse), ("endless-interim", .failed, .badServerResponse),
            ("garbage", .failed, .badServerResponse), ("reset", .interrupted, .connectionLost),
            ("short?file=file", .interrupted, .connectionLost),
            ("chunked?file=file&cut=1", .interrupted, .connectionLost),
            ("endless-body", .failed, .tooLarge), ("long?file=file&less=299000", .finished, nil),
            ("unmeasured?file=file", .finished, nil), ("chunked?file=file", .finished, nil),
            ("silent", .interrupted, .timedOut), ("half-head", .interrupted, .timedOut),
            ("stall?file=file&sent=1000", .interrupted, .timedOut),
            ("status?code=503&retry=7", .interrupted, .resourceUnavailable),
            ("status?code=429&retry=7", .interrupted, .resourceUnavailable), ("status?code=503", .finished, nil),
            ("status?code=404", .finished, nil),
        ] as [(String, TransferResult.Kind, TransferError?)])
    func `Whatever a server does the attempt ends, with a reason`(
        target: String, kind: TransferResult.Kind, error: TransferError?
    ) throws {
        let origin = try Origin()
        try origin.add("file", Self.content)
        let bench = try Bench()
        var order = bench.order(origin.url(target))
        order.sizeLimit = 5_000_000
        if error == .timedOut { order.timeout = .milliseconds(300) }
        let result = try bench.run(order)
        #expect(result.kind == kind && result.error == error, "\(result)")
        #expect((kind == .finished) == result.sentence.isEmpty, "\(result.sentence)")
        if target.contains("retry") { #expect(result.retryAfter == 7) }
        if kind == .finished, target.contains("file=") {
            let less = target.contains("less") ? 299_000 : 0
            #expect(try bench.bytes() == Array(Self.content.dropLast(less)))
        }
        // It is not the process that suffers.
        #expect(try bench.run(bench.order(origin.url("ranges?file=file")), file: "next").kind == .finished)
        #expect(bench.losses.isEmpty)
    }

    @Test(arguments: [
        ("http://nowhere.invalid/", TransferResult.Kind.interrupted, TransferError.cannotFindHost),
        ("ftp://127.0.0.1/", .failed, .badURL), ("file:///etc/passwd", .failed, .badURL), ("nothing", .failed, .badURL),
        ("http://10.255.255.1/", .failed, .notPermitted),
    ])
    func `What cannot be asked for is told apart`(url: String, kind: TransferResult.Kind, error: TransferError) throws {
        let bench = try Bench()
        var order = bench.order(url)
        order.grants += [NetworkGrant(.name("nowhere.invalid"), port: nil)]
        let result = try bench.run(order)
        #expect(result.kind == kind && result.error == error, "\(result)")
        #expect(!result.sentence.isEmpty)
    }

    @Test func `A port without a listener is asked again later`() throws {
        let closed = try HeldPort()
        let bench = try Bench()
        let result = try bench.run(bench.order("http://127.0.0.1:\(closed.number)/"))
        #expect(result.kind == .interrupted && result.error == .cannotConnectToHost, "\(result)")
    }

    @Test func `A network that cuts, resets, refuses and stalls interrupts, and keeps what came`() throws {
        let web = try WebServer()
        try web.add("file", Self.content)
        let bench = try Bench()
        let proxy = try FaultProxy(to: web.port(), plan: .pass)
        let url = "http://127.0.0.1:\(proxy.port)/file"
        let whole = bench.order(url)
        #expect(try bench.run(whole, file: "whole").kind == .finished)
        let validator = try #require(bench.answer(of: whole)).validator
        var offset: Int64 = 0
        for fault in [FaultProxy.Fault.cut(60_000), .reset(60_000), .refuse, .stall(60_000)] {
            // Not on the connection before it.
            try proxy.cutAll()
            try proxy.plan(fault)
            var order = bench.order(url)
            order.offset = offset
            order.validator = offset > 0 ? validator : ""
            if case .stall = fault { order.timeout = .milliseconds(500) }
            let result = try bench.run(order)
            #expect(result.kind == .interrupted && !result.isFileUseless, "\(fault): \(result)")
            // A reset throws away what was on its way.
            let held = try Int64(bench.bytes().count)
            #expect(result.received >= offset && held == result.received)
            offset = result.received
        }
        #expect(offset > 100_000)
        try proxy.plan(.pass)
        var last = bench.order(url)
        last.offset = offset
        last.validator = validator
        #expect(try bench.run(last).kind == .finished)
        #expect(try bench.bytes() == Self.content)
    }

    @Test func `What a server may not do to a part is noticed`() throws {
        let origin = try Origin()
        try origin.add("file", Self.content)
        let bench = try Bench()
        func goOn(_ target: String) throws -> (TransferResult, TransferOrder) {
            let first = bench.order(origin.url(target))
            let cut = try bench.run(first)
            #expect(cut.kind == .interrupted, "\(target): \(cut)")
            var second = bench.order(origin.url(target))
            second.offset = cut.received
            second.validator = bench.answer(of: first)?.validator ?? ""
            second.total = bench.answer(of: first)?.total
            return (try bench.run(second), second)
        }
        let (wrong, _) = try goOn("wrong-part?file=file&sent=1000")
        #expect(wrong.kind == .interrupted && wrong.isFileUseless, "\(wrong)")
        for target in ["flap?file=file&sent=1000", "rangeless?file=file&sent=1000", "weak?file=file&sent=1000"] {
            let (result, order) = try goOn(target)
            #expect(result.kind == .finished, "\(target): \(result)")
            #expect(bench.answer(of: order)?.offset == (target.hasPrefix("flap") ? 1000 : 0))
            #expect(try bench.bytes() == Self.content)
        }
        let (changed, order) = try goOn("changing?file=file&sent=1000")
        #expect(changed.kind == .finished && bench.answer(of: order)?.offset == 0)
        #expect(try bench.bytes() == [1] + Self.content.dropFirst())
    }
}
