import CLinux
package import TaskModel

// TCP sockets, which never wait.
extension Descriptor {
    /// A socket that listens at an address; port 0 means any.
    package static func listen(at place: SocketAddress, backlog: Int32) throws(SystemError) -> Descriptor {
        let bytes = [place.address.high, place.address.low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) }
        }
        return try unsafe Descriptor(
            adopting: check(clinux_tcp_listen(bytes, Int32(place.port), backlog), "bind", "\(place)"))
    }

    /// The port that the socket is bound to.
    package borrowing func boundPort() throws(SystemError) -> UInt16 {
        UInt16(truncatingIfNeeded: try check(clinux_tcp_port(number), "getsockname"))
    }
}
