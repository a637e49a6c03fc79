import CLinux

/// A netlink socket whose messages count only when the kernel sent them: any process may send to a socket's port, and root
/// to its groups (netlink(7)). It never waits. *Thread*: one.
@safe package final class NetlinkSocket {
    package enum Family: Sendable {
        case route, uevent, generic, audit
    }

    /// The result of one call of `receive`.
    package enum Reading {
        /// Nothing is waiting.
        case nothing
        /// The kernel's; its bytes are the first `count` of the buffer.
        case message(count: Int)
        /// Of another process, or longer than the buffer: passed over.
        case ignored
        /// The socket overflowed: some messages are lost.
        case lost
    }

    package let descriptor: Descriptor
    /// Replies to this socket have it; announcements have that of the process that made the change.
    package let port: UInt32
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - groups: the first 32 multicast groups, as bits.
    ///   - capacity: bytes of the longest datagram.
    package init(_ family: Family, groups: UInt32, capacity: Int) throws(SystemError) {
        let number = try check(clinux_netlink_open(family.number, groups), "socket(AF_NETLINK)")
        let descriptor = Descriptor(adopting: number)
        var port: UInt32 = 0
        try unsafe check(clinux_netlink_port(number, &port), "getsockname(AF_NETLINK)")
        self.descriptor = consume descriptor
        self.port = port
        unsafe buffer = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit { unsafe buffer.deallocate() }

    /// Joins a multicast group by its number.
    package func join(_ group: UInt32) throws(SystemError) {
        try check(clinux_netlink_join(descriptor.number, group), "setsockopt(NETLINK_ADD_MEMBERSHIP)")
    }

    /// Has the kernel drop messages of all other types: they wake nobody.
    package func takeOnly(_ first: UInt16, _ second: UInt16) throws(SystemError) {
        try check(clinux_netlink_take_only(descriptor.number, first, second), "setsockopt(SO_ATTACH_FILTER)")
    }

    /// Makes the kernel honour the filters in a dump's header; older ones dump everything all the same.
    package func filterDumps() { _ = clinux_netlink_filter_dumps(descriptor.number) }

    package func send(_ message: [UInt8]) throws(SystemError) {
        try unsafe check(clinux_netlink_send(descriptor.number, message, message.count), "sendto(AF_NETLINK)")
    }

    package func receive() -> Reading {
        var port: UInt32 = 0
        let result = unsafe clinux_netlink_receive(descriptor.number, buffer.baseAddress, buffer.count, &port)
        guard result < 0 else { return port == 0 ? .message(count: Int(result)) : .ignored }
        switch Errno(-result) {
        case .ENOBUFS: return .lost
        case .EMSGSIZE: return .ignored
        default: return .nothing
        }
    }

    /// Lends the datagram that `receive` stored.
    package func withMessage<R>(count: Int, _ body: (RawSpan) -> R) -> R {
        unsafe body(UnsafeRawBufferPointer(rebasing: buffer[0..<count]).bytes)
    }
}

extension NetlinkSocket.Family {
    fileprivate var number: Int32 {
        switch self {
        case .route: CLINUX_NETLINK_ROUTE
        case .uevent: CLINUX_NETLINK_UEVENT
        case .generic: CLINUX_NETLINK_GENERIC
        case .audit: CLINUX_NETLINK_AUDIT
        }
    }
}
