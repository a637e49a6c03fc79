import CLinux
import Glibc
import Linux

/// A netlink socket whose messages count only when the kernel sent them: any process may send to a socket's port, and root
/// to its groups. *Thread*: the loop's.
final class NetlinkSocket {
    /// What became of one call of `receive`.
    enum Reading {
        /// Nothing is waiting.
        case nothing
        /// The kernel's; its bytes are the first `count` of the buffer.
        case message(count: Int)
        /// Of another process, or longer than the buffer: passed over.
        case ignored
        /// The socket overflowed: some messages are lost.
        case lost
    }

    let descriptor: Descriptor
    /// Replies to this socket carry it; announcements carry that of whoever made the change.
    let port: UInt32
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - groups: the first 32 multicast groups, as bits.
    ///   - capacity: bytes of the longest datagram.
    init(protocol number: Int32, groups: UInt32, capacity: Int) throws(SystemError) {
        let descriptor = Descriptor(adopting: try check(clinux_netlink_open(number, groups), "socket(AF_NETLINK)"))
        var port: UInt32 = 0
        try check(clinux_netlink_port(descriptor.number, &port), "getsockname(AF_NETLINK)")
        self.descriptor = consume descriptor
        self.port = port
        buffer = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit { buffer.deallocate() }

    func send(_ message: [UInt8]) throws(SystemError) {
        try check(clinux_netlink_send(descriptor.number, message, message.count), "sendto(AF_NETLINK)")
    }

    func receive() -> Reading {
        var port: UInt32 = 0
        let result = clinux_netlink_receive(descriptor.number, buffer.baseAddress, buffer.count, &port)
        switch result {
        case -EAGAIN: return .nothing
        case -ENOBUFS: return .lost
        case ..<0: return result == -EMSGSIZE ? .ignored : .nothing
        default: return port == 0 ? .message(count: Int(result)) : .ignored
        }
    }

    /// Lends the datagram that `receive` stored.
    func withMessage<R>(count: Int, _ body: (RawSpan) -> R) -> R {
        body(UnsafeRawBufferPointer(rebasing: buffer[0..<count]).bytes)
    }
}
