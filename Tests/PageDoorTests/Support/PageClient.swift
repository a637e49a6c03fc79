import Glibc
import TestSupport

/// A TCP client that writes what it likes. Non-blocking: the loop runs in the same thread.
final class PageClient {
    let descriptor: Int32
    private(set) var received: [UInt8] = []
    private(set) var isAtEnd = false

    /// - Parameters:
    ///   - room: of its receive buffer; nil: the kernel's choice.
    ///   - user: whose socket it is; nil: this process's. Only root may choose.
    init(_ port: UInt16, room: Int32? = nil, user: uid_t? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var room { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4) }
        if let user, fchown(descriptor, user, gid_t.max) != 0 {
            throw Problem("fchown: \(String(cString: strerror(errno)))")
        }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Problem("connect: \(String(cString: strerror(errno)))") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    func send(_ text: String) { _ = send(Array(text.utf8)) }

    /// How much was taken.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int { Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// It writes nothing more.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Takes what is there, `most` at most.
    func read(_ most: Int = .max) {
        var buffer = [UInt8](repeating: 0, count: min(most, 64 << 10))
        var left = most
        while left > 0 {
            let count = Glibc.read(descriptor, &buffer, min(left, buffer.count))
            if count > 0 {
                received += buffer[0..<count]
                left -= count
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

    struct Reply {
        var status: Int
        var head: String
        var body: String

        func has(_ field: String) -> Bool { head.contains("\r\n\(field)") }
    }

    var statuses: [Int] { replies.map(\.status) }

    /// Complete replies with a Content-Length, in order.
    var replies: [Reply] {
        var replies: [Reply] = []
        var rest = text[...]
        while let end = rest.firstRange(of: "\r\n\r\n") {
            let head = String(rest[..<end.lowerBound])
            guard head.hasPrefix("HTTP/1."), let status = Int(head.dropFirst(9).prefix(3)) else { break }
            let lines = head.split(separator: "\r\n").map { $0.lowercased() }
            guard !lines.contains("transfer-encoding: chunked") else { break }
            let length = lines.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(16)) } ?? 0
            let body = rest[end.upperBound...]
            guard let cut = body.utf8.index(body.startIndex, offsetBy: length, limitedBy: body.endIndex) else { break }
            replies.append(Reply(status: status, head: head, body: String(body[..<cut])))
            rest = rest[cut...]
        }
        return replies
    }
}
