import Glibc
import TestSupport

/// A TCP port of this machine, on all its addresses, that takes connections as long as the test holds it.
final class Listener {
    let port: UInt16
    private let socket: Int32

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = socket
        let isDone = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, length) == 0 && listen(number, 128) == 0
                    && getsockname(number, address, &length) == 0
            }
        }
        guard isDone else { throw Problem("no listener: \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }
}
