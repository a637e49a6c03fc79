import Foundation
import TaskModel
import TestSupport
import Testing
import Wire

/// Which answers end a transfer well, and the error of each other one.
@Suite("Final answers", .disabled(if: Places.isSanitized, "the built program is another one"))
struct FinalAnswerTests {
    private static let content = Bench.content(30_000)

    struct Row: Sendable, CustomStringConvertible {
        var code: Int
        var head: String
        /// nil: it is the answer.
        var error: TransferError?
        var asks: [HTTPHeader] = []

        var description: String { "\(code) \(head)" }
    }

    private static let rows = [
        Row(code: 200, head: "Content-Length: 3"), Row(code: 203, head: ""), Row(code: 204, head: ""),
        Row(code: 300, head: "Content-Length: 3"), Row(code: 404, head: "Content-Length: 3"),
        Row(code: 500, head: "Content-Length: 3"), Row(code: 599, head: "Content-Length: 3"),
        Row(code: 200, head: "Content-Length: 3, 3"), Row(code: 200, head: "Content-Length: 3|Content-Length: 3"),
        Row(code: 101, head: "Upgrade: other|Connection: upgrade", error: .badServerResponse),
        Row(code: 600, head: "Content-Length: 3", error: .badServerResponse),
        Row(code: 999, head: "Content-Length: 3", error: .badServerResponse),
        Row(code: 302, head: "Content-Length: 3", error: .redirectToNonExistentLocation),
        Row(code: 308, head: "Location:|Content-Length: 3", error: .redirectToNonExistentLocation),
        Row(code: 301, head: "Location: http://|Content-Length: 3", error: .redirectToNonExistentLocation),
        Row(code: 302, head: "Location: file:///etc/passwd|Content-Length: 3", error: .unsupportedURL),
        Row(code: 303, head: "Location: gopher://127.0.0.1/x|Content-Length: 3", error: .unsupportedURL),
        Row(code: 307, head: "Location: ftp://127.0.0.1/x|Content-Length: 3", error: .unsupportedURL),
        Row(code: 200, head: "Content-Length: 100000000000000000000000", error: .tooLarge),
        Row(code: 404, head: "Content-Length: 100000000000000000000000", error: .tooLarge),
        Row(code: 200, head: "Content-Length: 3|Content-Length: 4", error: .badServerResponse),
        Row(code: 200, head: "Content-Length: three", error: .badServerResponse),
        Row(code: 200, head: "Content-Length: -3", error: .badServerResponse),
        Row(code: 206, head: "Content-Range: bytes 0-2/9|Content-Length: 3", error: .badServerResponse),
        Row(
            code: 206, head: "Content-Range: bytes 0-2/9|Content-Length: 3",
            asks: [HTTPHeader("Range", "bytes=0-2")]),
        Row(code: 304, head: "", error: .badServerResponse),
        Row(code: 304, head: "", asks: [HTTPHeader("If-None-Match", "\"a\"")]),
    ]

    @Test(arguments: rows)
    func `Each has its result`(_ row: Row) throws {
        let origin = try Origin()
        let bench = try Bench()
        var components = URLComponents(string: origin.url("fields"))
        components?.queryItems = [
            URLQueryItem(name: "code", value: "\(row.code)"), URLQueryItem(name: "head", value: row.head),
        ]
        let url = try #require(components?.url?.absoluteString)
        var order = bench.order(url)
        order.headers = row.asks
        let result = try bench.run(order)
        #expect(
            result.kind == (row.error == nil ? .finished : .failed) && result.error == row.error, "\(row): \(result)")
        if row.error != nil { #expect(try bench.bytes().isEmpty) }
    }

    @Test(arguments: [true, false])
    func `A body of unknown length has ended only where TLS has`(_ isEnded: Bool) throws {
        let authority = try Authority.shared.get()
        let origin = try Origin(clientCertificates: authority)
        try origin.add("file", Self.content)
        let bench = try Bench()
        var order = bench.order(origin.url("goodbye?file=file&bye=\(isEnded ? 1 : 0)"))
        order.authorities = try authority.bytes(authority.path)
        order.certificate = try authority.bytes(authority.certificate("client"))
        order.key = try authority.bytes(authority.key("client"))
        let result = try bench.run(order)
        #expect(result.kind == (isEnded ? .finished : .interrupted), "\(result)")
        #expect(result.error == (isEnded ? nil : .connectionLost), "\(result)")
    }

    @Test func `A part that the application asks for is not gone on with`() throws {
        let origin = try Origin()
        try origin.add("file", Self.content)
        let bench = try Bench()
        try bench.folder.write("part", Self.content[1000..<1500])
        var order = bench.order(origin.url("flap?file=file&times=0"))
        order.headers = [HTTPHeader("Range", "bytes=1000-1999")]
        (order.offset, order.validator) = (500, "\"flap\"")
        #expect(try bench.run(order).kind == .finished)
        #expect(try bench.bytes() == Array(Self.content[1000..<2000]))
    }

    @Test(arguments: [
        "http://ada:sesame7@%zz:1", "socks5://ada:sesame7@127.0.0.1:1", "http://ada:sesame7@127.0.0.1:1/x?y", "sesame7",
    ])
    func `A proxy that is none ends the transfer, and no sentence shows it`(_ proxy: String) throws {
        let bench = try Bench()
        var order = bench.order("http://127.0.0.1:1/")
        order.proxy = proxy
        let result = try bench.run(order)
        #expect(result.kind == .failed && result.error == .badURL, "\(result)")
        #expect(!result.sentence.contains("sesame7"), "\(result)")
    }
}
