import CLinux
import Glibc

/// Whose socket is at the other end of a TCP connection within this machine, as the kernel says (sock_diag(7)). A socket belongs to
/// the user who made it.
package enum LoopbackPeer: Equatable {
    case user(UInt32)
    /// The other end has closed it already, or the kernel cannot say now.
    case gone
    /// The kernel does not tell here.
    case unknown

    private static let limit = 16 << 20
    /// TCP_ESTABLISHED: of the others the table does not always name the user.
    private static let established = "01"
    /// An IPv4 address in a table of IPv6.
    private static let mapped = "0000000000000000FFFF0000"

    /// Some microseconds, however many sockets others of the machine's users have.
    package init(of socket: borrowing Descriptor) {
        var user: UInt32 = 0
        switch unsafe clinux_tcp_peer_user(socket.number, &user) {
        case 1: self = .user(user)
        case -EOPNOTSUPP: self = Self.searched(for: socket)
        default: self = .gone
        }
    }

    /// From the table of all sockets (proc(5), `/proc/net/tcp`), for kernels without the other way: some microseconds for each
    /// socket of the machine.
    package static func searched(for socket: borrowing Descriptor) -> LoopbackPeer {
        var (peer, own) = ([CChar](repeating: 0, count: 48), [CChar](repeating: 0, count: 48))
        let family = unsafe clinux_tcp_names(socket.number, &peer, &own)
        guard family > 0 else { return .gone }
        let ends = [peer, own].map { name in
            String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        // A program may reach an IPv4 address through a socket of IPv6.
        var searches = [("/proc/net/tcp6", " \(Self.mapped)\(ends[0]) \(Self.mapped)\(ends[1]) ")]
        if family == 4 {
            searches.insert(("/proc/net/tcp", " \(ends[0]) \(ends[1]) "), at: 0)
        } else {
            searches[0].1 = " \(ends[0]) \(ends[1]) "
        }
        var found = LoopbackPeer.unknown
        for (path, pair) in searches {
            do throws(SystemError) {
                if let user = Self.user(of: pair, in: try FileText.read(path, limit: Self.limit)) {
                    return .user(user)
                }
                found = .gone
            } catch {
                if error.code == .EFBIG { found = .gone }
            }
        }
        return found
    }

    /// - Parameter pair: both ends, as the table has them in one line.
    private static func user(of pair: String, in table: String) -> UInt32? {
        guard let place = table.utf8.firstRange(of: pair.utf8) else { return nil }
        // After the ends: state, queues, timer, retransmissions, user.
        let rest = table.utf8[place.upperBound...].prefix { $0 != UInt8(ascii: "\n") }
        let fields = rest.split(separator: UInt8(ascii: " ")).prefix(5).map { String(decoding: $0, as: UTF8.self) }
        return fields.count == 5 && fields[0] == established ? UInt32(fields[4]) : nil
    }
}
