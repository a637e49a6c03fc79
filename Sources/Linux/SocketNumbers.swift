import Glibc

/// Numbers of the socket interface, by their names in the headers, for filters of system calls.
package enum SocketNumber {
    package static let AF_INET = UInt32(Glibc.AF_INET)
    package static let AF_INET6 = UInt32(Glibc.AF_INET6)
    package static let AF_UNIX = UInt32(Glibc.AF_UNIX)
    package static let AF_NETLINK = UInt32(Glibc.AF_NETLINK)
    package static let SOCK_DGRAM = UInt32(Glibc.SOCK_DGRAM.rawValue)
    package static let SOCK_RAW = UInt32(Glibc.SOCK_RAW.rawValue)
    package static let IPPROTO_ICMP = UInt32(Glibc.IPPROTO_ICMP)
    package static let IPPROTO_ICMPV6 = UInt32(Glibc.IPPROTO_ICMPV6)
    package static let IPPROTO_IP = UInt32(Glibc.IPPROTO_IP)
    package static let IPPROTO_IPV6 = UInt32(Glibc.IPPROTO_IPV6)
    package static let IPPROTO_TCP = UInt32(Glibc.IPPROTO_TCP)
    package static let IPPROTO_UDP = UInt32(Glibc.IPPROTO_UDP)
    package static let SOL_SOCKET = UInt32(Glibc.SOL_SOCKET)

    /// Whether socket(2)'s arguments, the type without its flags, mean one of ICMP: of datagrams (icmp(7)) or a raw one.
    package static func isICMP(_ domain: UInt32, _ type: UInt32, _ number: UInt32) -> Bool {
        [SOCK_DGRAM, SOCK_RAW].contains(type)
            && (domain == AF_INET && number == IPPROTO_ICMP || domain == AF_INET6 && number == IPPROTO_ICMPV6)
    }
}
