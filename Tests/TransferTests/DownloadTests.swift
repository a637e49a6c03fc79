import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing
import Wire

/// Downloads from a real nginx, and from a scripted server.
struct DownloadTests {
    private static let content = Bench.content(300_000)

    @Test func `A download arrives whole, with its answer`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        let order = bench.order(server.url("file"))
        let result = try bench.run(order)
        #expect(result.kind == .finished)
        #expect(result.received == 300_000)
        #expect(result.address == "127.0.0.1:\(server.port())")
        #expect(try bench.bytes() == Self.content)
        let answer = try #require(bench.answer(of: order))
        #expect(answer.response.status == 200)
        #expect(answer.response.url == order.url)
        #expect(answer.offset == 0)
        #expect(answer.total == 300_000)
        #expect(answer.validator.hasPrefix("\""))
        #expect(answer.response.headers.contains { $0.name == "Accept-Ranges" })
    }

    @Test func `A download resumes after what the file holds`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        let first = bench.order(server.url("file"))
        _ = try bench.run(first)
        let validator = try #require(bench.answer(of: first)).validator
        try bench.folder.write("part", Self.content.prefix(100_000))
        var second = bench.order(server.url("file"))
        second.offset = 100_000
        second.validator = validator
        let result = try bench.run(second)
        #expect(result.kind == .finished)
        #expect(bench.answer(of: second)?.response.status == 206)
        #expect(bench.answer(of: second)?.offset == 100_000)
        #expect(bench.answer(of: second)?.total == 300_000)
        #expect(bench.answer(of: second)?.validator == validator)
        #expect(try bench.bytes() == Self.content)
        try server.wait(forAnswer: "206 GET /file range=bytes=100000- if-range=")
    }
}
