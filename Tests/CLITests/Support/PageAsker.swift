import Foundation
import Glibc
import JSON

/// A browser's part before `taskhost ui`: it has a key, and asks one request a connection.
struct PageAsker {
    struct Reply {
        var status: Int
        var document: JSONValue
    }

    private let port: UInt16
    private var key = ""

    /// - Parameter link: as `taskhost ui` prints it.
    init(_ link: String) throws {
        guard let match = link.firstMatch(of: /127\.0\.0\.1:([0-9]+)\/#token=([0-9a-f]+)/), let port = UInt16(match.1)
        else {
            throw Problem("no link: \(link)")
        }
        self.port = port
        let session = try post("/session", #"{"token": "\#(match.2)"}"#)
        guard let key = session.document["key"]?.string else { throw Problem("no key: \(session)") }
        self.key = key
    }

    func get(_ path: String) throws -> Reply { try ask("GET \(path) HTTP/1.1\r\n", "") }

    func post(_ path: String, _ body: String) throws -> Reply {
        let fields = "Origin: http://127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
        return try ask("POST \(path) HTTP/1.1\r\n\(fields)Content-Length: \(body.utf8.count)\r\n", body)
    }

    private func ask(_ head: String, _ body: String) throws -> Reply {
        let key = key.isEmpty ? "" : "Authorization: Bearer \(key)\r\n"
        let received = try exchange("\(head)Host: 127.0.0.1:\(port)\r\n\(key)Connection: close\r\n\r\n\(body)")
        guard let end = received.firstRange(of: "\r\n\r\n"), let status = Int(received.dropFirst(9).prefix(3)) else {
            throw Problem("no reply: \(received)")
        }
        let bytes = Array(received[end.upperBound...].utf8)
        return Reply(status: status, document: try JSONParser.parse(bytes, maximumBytes: bytes.count))
    }

    /// Sends a text, and reads until the other side ends.
    private func exchange(_ text: String) throws -> String {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(number) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Problem("connect: \(String(cString: strerror(errno)))") }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        var received: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(number, &room, room.count)
            guard count > 0 else { return String(decoding: received, as: UTF8.self) }
            received += room[..<count]
        }
    }
}
