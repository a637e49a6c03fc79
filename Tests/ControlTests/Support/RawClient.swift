import CLinux
import Control
import Glibc
import Linux
import TestSupport

/// A client that writes what it likes. Non-blocking: the loop runs in the same thread.
final class RawClient {
    let descriptor: Int32
    private(set) var received: [UInt8] = []
    private(set) var isAtEnd = false

    init(_ folder: String) throws {
        let place = try ControlSocketPlace(folder)
        descriptor = try check(clinux_unix_connect(place.path), "connect")
    }

    deinit { close(descriptor) }

    /// All of it must fit the socket's buffer.
    func send(_ text: String) { _ = send(Array(text.utf8)) }

    /// How much was taken.
    func send(_ bytes: [UInt8]) -> Int { Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Takes what is there.
    func read() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                received += buffer[0..<count]
                continue
            }
            if count == 0 || errno != EAGAIN { isAtEnd = true }
            return
        }
    }

    var text: String {
        read()
        return String(decoding: received, as: UTF8.self)
    }

    /// The end of what was read.
    var tail: String { String(decoding: received.suffix(2000), as: UTF8.self) }

    /// The statuses of all complete replies so far.
    var statuses: [Int] { replies.map(\.status) }

    struct Reply {
        var status: Int
        var head: String
        var body: String
    }

    /// Complete replies with a Content-Length, in order.
    var replies: [Reply] {
        var replies: [Reply] = []
        var rest = text[...]
        while let end = rest.firstRange(of: "\r\n\r\n") {
            let head = String(rest[..<end.lowerBound])
            guard head.hasPrefix("HTTP/1."), let status = Int(head.dropFirst(9).prefix(3)) else { break }
            let lines = head.split(separator: "\r\n").map { $0.lowercased() }
            let length = lines.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(16)) } ?? 0
            let body = rest[end.upperBound...]
            guard body.utf8.count >= length,
                let cut = body.utf8.index(body.startIndex, offsetBy: length, limitedBy: body.endIndex)
            else { break }
            replies.append(Reply(status: status, head: head, body: String(body[..<cut])))
            rest = rest[cut...]
        }
        return replies
    }
}
