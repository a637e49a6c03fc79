import CCurl
import Glibc
import TaskModel
import Wire

/// What libcurl asks of an exchange: bytes of the upload's file, and whether an address may be connected to. Each is given the
/// attempt, which lives as long as its exchange.
enum ExchangeCallbacks {
    static let content: curl_read_callback = { buffer, size, count, context in
        guard let buffer, let context else { return aborted }
        let attempt = Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
        return attempt.give(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? aborted
    }

    /// libcurl signs in after it has begun to send.
    static let rewind: curl_seek_callback = { context, offset, origin in
        guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
        return Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue().rewind(to: Int64(offset))
            ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }

    /// Every address, before anything is sent to it.
    static let open: curl_opensocket_callback = { context, _, address in
        guard let context, let address else { return badSocket }
        let attempt = Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
        guard let (host, port) = endpoint(&address.pointee.addr), attempt.mayConnect(to: host, port) else {
            return badSocket
        }
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, type, address.pointee.protocol)
    }

    /// Before a request is sent, on a connection too that another transfer has left.
    static let use: curl_prereq_callback = { context, host, _, port, _ in
        guard let context, let host, let address = NetworkAddress(String(cString: host)) else {
            return CURL_PREREQFUNC_ABORT
        }
        let attempt = Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
        return attempt.mayConnect(to: address, UInt16(clamping: port)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    // Macros of <curl/curl.h>: CURL_READFUNC_ABORT, CURL_SOCKET_BAD.
    private static let aborted = 0x1000_0000
    private static let badSocket: curl_socket_t = -1

    private static func endpoint(_ address: UnsafePointer<sockaddr>) -> (NetworkAddress, UInt16)? {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                (
                    NetworkAddress(v4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr)),
                    UInt16(bigEndian: $0.pointee.sin_port)
                )
            }
        case AF_INET6:
            // libcurl's structure has room for it.
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { bytes in
                    let half = { (offset: Int) in
                        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    }
                    return (
                        NetworkAddress(high: half(0), low: half(8)), UInt16(bigEndian: address.pointee.sin6_port)
                    )
                }
            }
        default: nil
        }
    }
}
