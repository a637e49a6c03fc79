import Glibc

/// Numbers of the socket interface, by their names in the headers, for filters of system calls.
package enum SocketNumber {
    package static let AF_INET = UInt32(Glibc.AF_INET)
    package static let AF_INET6 = UInt32(Glibc.AF_INET6)
    package static let AF_UNIX = UInt32(Glibc.AF_UNIX)
    package static let AF_NETLINK = UInt32(Glibc.AF_NETLINK)
    package static let IPPROTO_IP = UInt32(Glibc.IPPROTO_IP)
    package static let IPPROTO_IPV6 = UInt32(Glibc.IPPROTO_IPV6)
    package static let IPPROTO_TCP = UInt32(Glibc.IPPROTO_TCP)
    package static let IPPROTO_UDP = UInt32(Glibc.IPPROTO_UDP)
    package static let SOL_SOCKET = UInt32(Glibc.SOL_SOCKET)
}
