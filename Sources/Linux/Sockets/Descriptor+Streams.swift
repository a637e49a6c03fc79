import CLinux
import Glibc

// Unix stream sockets, which never wait.
extension Descriptor {
    /// A socket that listens at `path`, whose file has `mode` from the beginning.
    package static func listen(at path: String, mode: UInt32, backlog: Int32) throws(SystemError) -> Descriptor {
        try unsafe Descriptor(adopting: check(clinux_unix_listen(path, mode, backlog), "bind", path))
    }

    /// - Parameter milliseconds: how long to wait while the listener's queue is full; then, and with nil at once, `EAGAIN`.
    package static func connect(to path: String, within milliseconds: Int32? = nil) throws(SystemError) -> Descriptor {
        let number =
            unsafe milliseconds.map { unsafe clinux_unix_connect_within(path, $0) }
            ?? clinux_unix_connect(path)
        return Descriptor(adopting: try check(number, "connect", path))
    }

    /// The next client. `EAGAIN`: there is none.
    package borrowing func accept() throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_accept(number), "accept"))
    }

    /// The path that a socket is bound to; nil: to no file of the file system.
    package borrowing func boundPath() throws(SystemError) -> String? {
        var name = [CChar](repeating: 0, count: 108)
        try unsafe check(clinux_unix_name(number, &name), "getsockname")
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.hasPrefix("/") ? path : nil
    }

    /// Sends as much as the socket takes at once; returns how much.
    package borrowing func sendAtOnce(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        try Self.count("send") {
            unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
        }
    }

    /// Nothing more is written; nor, with `reading`, read. False: the socket is as it was.
    @discardableResult
    package borrowing func shutDown(reading: Bool = true) -> Bool { Self.shutDown(number, reading: reading) }

    /// The same for one that is lent.
    @discardableResult
    package static func shutDown(_ number: Int32, reading: Bool = true) -> Bool {
        shutdown(number, Int32(reading ? SHUT_RDWR : SHUT_WR)) == 0  // fails when the other side has gone
    }
}

/// The peer of a Unix socket, at the time of its connecting (SO_PEERCRED).
package struct SocketPeer: Sendable, Equatable {
    /// 0: a process of another namespace.
    package var pid: Int32
    package var user: UInt32
    package var group: UInt32

    package init(pid: Int32, user: UInt32, group: UInt32) {
        self.pid = pid
        self.user = user
        self.group = group
    }

    package init(of socket: borrowing Descriptor) throws(SystemError) {
        var peer = clinux_peer_t()
        try unsafe check(clinux_peer(socket.number, &peer), "getsockopt(SO_PEERCRED)")
        pid = peer.pid
        user = peer.user
        group = peer.group
    }
}
