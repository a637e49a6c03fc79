import Control
import Testing

@Suite("Reading replies")
struct ReplyReaderTests {
    /// What is left of a reply that comes in pieces of so many bytes.
    private func read(_ text: String, pieces: Int = .max, ends: Bool = false) -> (reader: ReplyReader, body: String) {
        var reader = ReplyReader()
        var body: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            #expect(
                reader.take(rest.prefix(pieces)) { piece, _ in
                    body.append(contentsOf: piece)
                    return true
                })
            rest = rest.dropFirst(pieces)
        }
        if ends { _ = reader.takeEnd() }
        return (reader, String(decoding: body, as: UTF8.self))
    }

    private static let sized = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nhello"
    private static let chunked =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "2\r\nhe\r\n3;name=value\r\nllo\r\n0\r\nTrailer: 1\r\n\r\n"

    @Test("is the same in whatever pieces they come", arguments: [1, 2, 3, 7, 4096])
    func pieces(size: Int) {
        let sized = read(Self.sized, pieces: size)
        #expect(sized.reader.isWhole && sized.reader.keepsConnection && sized.body == "hello")
        #expect(sized.reader.status == 200 && sized.reader.length == 5)
        #expect(sized.reader.contentType == "application/json")
        let chunked = read(Self.chunked, pieces: size)
        #expect(chunked.reader.isWhole && chunked.reader.keepsConnection && chunked.body == "hello")
        #expect(chunked.reader.status == 404 && chunked.reader.length == nil)
    }

    @Test("knows a reply that was cut from one that the connection's end makes whole")
    func ends() {
        for text in [Self.sized, Self.chunked] {
            for count in 0..<text.utf8.count {
                #expect(
                    !read(String(decoding: Array(text.utf8).prefix(count), as: UTF8.self), ends: true).reader.isWhole)
            }
        }
        let open = read("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", ends: true)
        #expect(open.reader.isWhole && !open.reader.keepsConnection && open.body == "hello")
        #expect(read("HTTP/1.1 204 No Content\r\n\r\n").reader.isWhole)
        // Bytes that no request asked for make the connection useless.
        #expect(!read(Self.sized + "more").reader.keepsConnection)
    }

    @Test(
        "refuses what is no reply, or could be read in two ways",
        arguments: [
            "nonsense\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 999 X\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
        ])
    func refuses(text: String) {
        #expect(read(text, pieces: 1).reader.isBroken)
        #expect(read(text).reader.isBroken)
    }

    @Test("ends a header, and lines between chunks, that have no end")
    func bounds() {
        let long = String(repeating: "a", count: 65 << 10)
        #expect(read(long).reader.isBroken)
        #expect(read("HTTP/1.1 200 OK\r\nX: \(long)", pieces: 100).reader.isBroken)
        #expect(read("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 20_000)).reader.isBroken)
        let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(read(chunk + "1;" + long).reader.isBroken)
        #expect(read(chunk + "0\r\n" + String(repeating: "X: y\r\n", count: 20_000)).reader.isBroken)
        // Chunks themselves may be many.
        #expect(!read(chunk + String(repeating: "1\r\na\r\n", count: 50_000)).reader.isBroken)
    }
}
