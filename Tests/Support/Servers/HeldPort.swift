import Glibc

/// A TCP port that the kernel gave, which no one else gets as long as this object lives.
///
/// Unless it listens, every connection is refused. A server may bind the port beside it, if both allow their address to
/// be used again (SO_REUSEADDR, socket(7)).
package final class HeldPort {
    package let number: UInt16
    private let descriptor: Int32

    /// - Parameter address: of this machine, in dots.
    package init(on address: String = "127.0.0.1", listens: Bool = false) throws {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = inet_addr(address)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var isShared: Int32 = 1
        let isBound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size)) == 0
                    && bind(descriptor, $0, length) == 0 && (!listens || listen(descriptor, 512) == 0)
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw Problem("no port on \(address): \(reason)")
        }
        self.descriptor = descriptor
        number = UInt16(bigEndian: place.sin_port)
    }

    deinit { close(descriptor) }
}
