import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing
import Wire

/// Servers that lie, never answer, or never end.
struct HostileServerTests {
    private static let content = Bench.content(300_000)

    private func origin() throws -> Origin {
        let origin = try Origin()
        try origin.add("file", Self.content)
        return origin
    }

    @Test func `A body shorter than it was said to be is no whole one`() throws {
        let origin = try origin()
        let bench = try Bench()
        let result = try bench.run(bench.order(origin.url("short?file=file")))
        #expect(result.kind == .interrupted)
        #expect(result.error == .connectionLost)
        #expect(result.received == 300_000)
    }

    @Test func `What comes behind the length is left out`() throws {
        let origin = try origin()
        let bench = try Bench()
        let result = try bench.run(bench.order(origin.url("long?file=file&less=1000")))
        #expect(result.kind == .finished)
        #expect(try bench.bytes() == Array(Self.content.prefix(299_000)))
    }

    @Test(arguments: ["endless-head", "endless-interim"])
    func `A head that does not end, or is none, ends the transfer`(_ path: String) throws {
        let origin = try origin()
        let bench = try Bench()
        let result = try bench.run(bench.order(origin.url(path)))
        #expect(result.kind == .failed, "\(result)")
        #expect(result.error == .badServerResponse, "\(result)")
    }

    @Test func `Of interim answers without end sixteen are reported`() throws {
        let origin = try origin()
        let bench = try Bench()
        let order = bench.order(origin.url("endless-interim"))
        #expect(try bench.run(order).kind == .failed)
        #expect(bench.interim(of: order).map(\.status) == Array(repeating: 103, count: TransferLimit.interimAnswers))
    }

    @Test(arguments: ["many-fields?count=60000", "many-fields?count=60000&name=a"])
    func `A head of very many fields is cut, and its file arrives`(_ path: String) throws {
        let origin = try origin()
        let bench = try Bench()
        let order = bench.order(origin.url(path + "&file=file"))
        #expect(try bench.run(order).kind == .finished)
        #expect(try bench.bytes() == Self.content)
        let headers = try #require(bench.answer(of: order)?.response.headers)
        #expect(headers.count < 3000)
        #expect(bench.losses.isEmpty)
    }

    @Test(arguments: [("length", TransferResult.Kind.failed), ("total", .failed)])
    func `A part that is said to be endless ends the download, not the process`(
        _ lie: String, _ kind: TransferResult.Kind
    ) throws {
        let origin = try origin()
        let bench = try Bench()
        try bench.folder.write("part", Array(Self.content[..<500]))
        var order = bench.order(origin.url("endless-part?file=file&lie=\(lie)"))
        (order.offset, order.validator, order.sizeLimit) = (500, "\"part\"", 1 << 30)
        let result = try bench.run(order)
        #expect(result.kind == kind && result.error == .tooLarge, "\(result)")
        #expect(bench.losses.isEmpty)
    }

    @Test(arguments: ["silent", "half-head", "stall?file=file&sent=1000"])
    func `A server that stops answering is given up`(_ path: String) throws {
        let origin = try origin()
        let bench = try Bench()
        var order = bench.order(origin.url(path))
        order.timeout = .milliseconds(400)
        let result = try bench.run(order)
        #expect(result.kind == .interrupted)
        #expect(result.error == .timedOut)
    }

    @Test func `A port that takes connections and says nothing is given up`() throws {
        let server = try SilentServer()
        let bench = try Bench()
        var order = bench.order("http://127.0.0.1:\(server.port)/")
        order.timeout = .milliseconds(400)
        #expect(try bench.run(order).error == .timedOut)
    }

    @Test(arguments: ["ranges?file=file", "endless-body", "chunked?file=file"])
    func `No more is written than may be`(_ path: String) throws {
        let origin = try origin()
        let bench = try Bench()
        var order = bench.order(origin.url(path))
        order.sizeLimit = 200_000
        let result = try bench.run(order)
        #expect(result.kind == .failed)
        #expect(result.error == .tooLarge)
        #expect(try bench.bytes().count <= 200_000)
    }

    @Test(arguments: [("ranges?file=file", 0), ("chunked?file=file", 200_000)])
    func `What there is no room for is not written, and waits`(_ path: String, _ most: Int) throws {
        let origin = try origin()
        let bench = try Bench()
        var order = bench.order(origin.url(path))
        order.room = 200_000
        let result = try bench.run(order)
        #expect(result.kind == .noSpace)
        #expect(try bench.bytes().count <= most)
        #expect(bench.answer(of: order) != nil, "what it needs is known")
    }

    @Test(arguments: ["unmeasured?file=file", "chunked?file=file"])
    func `A body of unknown length arrives whole`(_ path: String) throws {
        let origin = try origin()
        let bench = try Bench()
        let order = bench.order(origin.url(path))
        #expect(try bench.run(order).kind == .finished)
        #expect(bench.answer(of: order)?.total == nil)
        #expect(try bench.bytes() == Self.content)
    }

    @Test(arguments: ["reset", "chunked?file=file&cut=1"])
    func `A cut connection is no end`(_ path: String) throws {
        let origin = try origin()
        let bench = try Bench()
        let result = try bench.run(bench.order(origin.url(path)))
        #expect(result.kind == .interrupted)
        #expect(result.error == .connectionLost)
    }

    @Test func `What the system said about one exchange is not reported for another`() throws {
        let origin = try origin()
        let bench = try Bench()
        for number in 0..<4 {
            var order = bench.order("http://127.0.0.1:1/")
            order.transfer.index += UInt32(number)
            let refused = try bench.run(order)
            #expect(refused.sentence.contains("refused") && refused.sentence.hasSuffix("it is tried again"))
            order = bench.order(origin.url("chunked?file=file&cut=1"))
            order.transfer.index += UInt32(10 + number)
            let cut = try bench.run(order)
            #expect(cut.error == .connectionLost && !cut.sentence.contains("refused"), "\(cut.sentence)")
        }
    }

    @Test func `No listener, and no such name`() throws {
        let closed = try HeldPort()
        let bench = try Bench()
        let result = try bench.run(bench.order("http://127.0.0.1:\(closed.number)/"))
        #expect(result.kind == .interrupted)
        #expect(result.error == .cannotConnectToHost)
    }

    @Test func `An error page is the answer`() throws {
        let origin = try origin()
        let bench = try Bench()
        let order = bench.order(origin.url("status?code=404"))
        #expect(try bench.run(order).kind == .finished)
        #expect(bench.answer(of: order)?.response.status == 404)
        #expect(try bench.bytes() == Array("status 404\n".utf8))
    }

    @Test(arguments: [("X-A", "b\r\nX-Evil: 1"), ("X A", "b"), ("", "b"), ("X-A", "b\0c")])
    func `A header that HTTP cannot carry is refused`(_ name: String, _ value: String) throws {
        let origin = try origin()
        let bench = try Bench()
        var order = bench.order(origin.url("echo"))
        order.headers = [HTTPHeader(name, value)]
        let result = try bench.run(order)
        #expect(result.kind == .failed)
        #expect(result.error == .badURL)
    }

    @Test func `The request's own headers go out, those of the connection do not`() throws {
        let origin = try origin()
        let bench = try Bench()
        var order = bench.order(origin.url("echo"))
        order.headers = [
            HTTPHeader("X-Mine", "1"), HTTPHeader("X-Empty", ""), HTTPHeader("Content-Length", "17"),
            HTTPHeader("Transfer-Encoding", "chunked"), HTTPHeader("User-Agent", "mine"),
        ]
        #expect(try bench.run(order).kind == .finished)
        let lines = String(decoding: try bench.bytes(), as: UTF8.self).lowercased().split(separator: "\n").map(
            String.init)
        #expect(lines.contains("x-mine: 1"))
        #expect(lines.contains { $0.hasPrefix("x-empty:") })
        #expect(lines.contains("user-agent: mine"))
        #expect(lines.contains("accept-encoding: identity"))
        #expect(!lines.contains { $0.hasPrefix("content-length") || $0.hasPrefix("transfer-encoding") })
    }
}
