import CLinux
import Glibc

/// Sockets that one process makes for another.
package enum ReachedSocket {
    /// Connected to a path, and not waiting: `EAGAIN` says that too many wait there.
    ///
    /// - Parameter type: SOCK_STREAM, SOCK_SEQPACKET or SOCK_DGRAM; `EPROTOTYPE`: who listens there has another.
    package static func connected(to path: String, type: Int32) throws(SystemError) -> Descriptor {
        unsafe Descriptor(adopting: try check(clinux_unix_connect_as(path, type), "connect", path))
    }

    /// One that keeps messages apart, and is not connected.
    package static func message() throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_message_socket(), "socket"))
    }

    /// One that sends ICMP echo requests and nothing else (icmp(7)), and is not connected; `EACCES`: the machine lets no group of this
    /// process.
    ///
    /// - Parameter domain: AF_INET or AF_INET6.
    package static func echo(_ domain: UInt32) throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_echo_socket(Int32(bitPattern: domain)), "socket"))
    }

    package static func setNonblocking(_ number: Int32, _ isSet: Bool) {
        _ = clinux_set_nonblocking(number, isSet ? 1 : 0)
    }

    package static let (stream, datagram, sequenced) = (
        Int32(SOCK_STREAM.rawValue), Int32(SOCK_DGRAM.rawValue), Int32(SOCK_SEQPACKET.rawValue)
    )
}
