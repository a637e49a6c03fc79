import CLinux
import Glibc

/// Unix sockets that one process makes for another.
package enum ReachedSocket {
    /// Connected to a path, and not waiting: `EAGAIN` says that too many wait there.
    ///
    /// - Parameter type: SOCK_STREAM, SOCK_SEQPACKET or SOCK_DGRAM; `EPROTOTYPE`: who listens there has another.
    package static func connected(to path: String, type: Int32) throws(SystemError) -> Descriptor {
        unsafe Descriptor(adopting: try check(clinux_unix_reach(path, type), "connect", path))
    }

    /// A connection that keeps messages apart, to be used in place of one of datagrams.
    package static func messagePair() throws(SystemError) -> (near: Int32, far: Int32) {
        var ends: [Int32] = [-1, -1]
        try unsafe check(clinux_message_pair(&ends), "socketpair")
        return (ends[0], ends[1])
    }

    /// One that is not connected.
    package static func message() throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_message_socket(), "socket"))
    }

    package static func setNonblocking(_ number: Int32, _ isSet: Bool) {
        _ = clinux_set_nonblocking(number, isSet ? 1 : 0)
    }

    package static let (stream, datagram, sequenced) = (
        Int32(SOCK_STREAM.rawValue), Int32(SOCK_DGRAM.rawValue), Int32(SOCK_SEQPACKET.rawValue)
    )
}
