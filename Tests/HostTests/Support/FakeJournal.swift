import Foundation
import Glibc
import TestSupport

/// A socket as systemd-journald's: it receives entries of the native protocol.
final class FakeJournal {
    typealias Entry = [String: String]

    let path: String
    private let socket: Int32
    private(set) var entries: [Entry] = []

    init(at path: String) throws {
        self.path = path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        let (socket, error) = (socket, Self.withAddress(path) { [socket] in bind(socket, $0, $1) })
        guard socket >= 0, error == 0 else { throw Problem("bind \(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(socket)
        unlink(path)
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// Puts meaningless messages into it until it takes no more.
    func fill() throws {
        let sender = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        defer { close(sender) }
        guard Self.withAddress(path, { connect(sender, $0, $1) }) == 0 else { throw Problem("connect \(path)") }
        while send(sender, "FILLER=1\n", 9, Int32(MSG_NOSIGNAL)) == 9 {}
        guard errno == EAGAIN else { throw Problem("send: \(String(cString: strerror(errno)))") }
    }

    /// Waits until `isDone` accepts the entries.
    func wait(for what: String, until isDone: ([Entry]) -> Bool) throws {
        var patience = Patience()
        while true {
            read()
            if isDone(entries) { return }
            guard let milliseconds = patience.milliseconds() else {
                throw Problem.vain(what, seen: "received: \(entries)")
            }
            var source = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            _ = poll(&source, 1, milliseconds)
        }
    }

    /// Takes what is there.
    func read() {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(socket, &room, room.count, 0)
            guard count > 0 else { return }
            entries.append(Self.entry(room[..<count]))
        }
    }

    /// `NAME=value`, or a name, the value's length in 8 bytes and the value, each followed by a line feed.
    private static func entry(_ bytes: ArraySlice<UInt8>) -> Entry {
        var entry: Entry = [:]
        var rest = bytes
        while !rest.isEmpty {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\n") }
            let isPlain = rest.dropFirst(name.count).first == UInt8(ascii: "=")
            rest = rest.dropFirst(name.count + 1)
            var length = rest.prefix { $0 != UInt8(ascii: "\n") }.count
            if !isPlain {
                length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(8)
            }
            entry[String(decoding: name, as: UTF8.self)] = String(decoding: rest.prefix(length), as: UTF8.self)
            rest = rest.dropFirst(length + 1)
        }
        return entry
    }
}
