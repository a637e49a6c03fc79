import CLinux
import Glibc

/// Memory of a process of the same user that may be traced: one that this process is told of (process_vm_readv(2)).
package enum ForeignMemory {
    /// The smallest page that a kernel has, by which memory is there or not; larger ones are multiples.
    private static let page = 4096

    /// Bytes at an address.
    ///
    /// - Returns: nil where there are not so many, or the process does not show its memory (PR_SET_DUMPABLE).
    package static func bytes(of thread: Int32, at address: UInt64, count: Int) -> [UInt8]? {
        var length = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            length = unsafe Int(clinux_peek(thread, address, base, count))
            initialized = max(0, length)
        }
        return length == count ? bytes : nil
    }

    /// Numbers of 64 bits at an address; nil as for `bytes`.
    package static func words(of thread: Int32, at address: UInt64, count: Int) -> [UInt64]? {
        bytes(of: thread, at: address, count: 8 * count).map { bytes in
            (0..<count).map { word in bytes[8 * word..<8 * (word + 1)].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        }
    }

    /// Whether the process does not show its memory (PR_SET_DUMPABLE), or has another user.
    package static func isClosed(_ thread: Int32, at address: UInt64) -> Bool {
        var byte: UInt8 = 0
        return unsafe clinux_peek(thread, address, &byte, 1) == -Int64(EPERM)
    }

    /// A text that ends with a zero byte.
    ///
    /// - Parameter most: bytes of it; nil comes for a longer one.
    package static func text(of thread: Int32, at address: UInt64, most: Int = 4096) -> [UInt8]? {
        var text: [UInt8] = []
        var place = address
        while text.count < most {
            let rest = page - Int(place % UInt64(page))
            guard let part = bytes(of: thread, at: place, count: min(rest, most - text.count)) else { return nil }
            if let end = part.firstIndex(of: 0) { return text + part[..<end] }
            text += part
            place &+= UInt64(part.count)
        }
        return nil
    }
}

/// A socket of such a process (pidfd_getfd(2)).
package struct ForeignSocket: Sendable {
    private let number: Int32
    private let process: Int32
    package let domain: UInt32
    package let type: Int32
    package let isNonblocking: Bool
    /// One of ICMP: of datagrams it sends echo requests and nothing else.
    package let isICMP: Bool

    package var isDatagram: Bool { type == Int32(SOCK_DGRAM.rawValue) }

    /// nil: it is none, or cannot be looked at.
    package init?(_ number: Int32, of process: Int32) {
        var facts = clinux_socket_facts_t()
        guard unsafe clinux_socket_facts(process, number, &facts) == 0 else { return nil }
        (self.number, self.process) = (number, process)
        domain = UInt32(bitPattern: facts.domain)
        type = facts.type
        isNonblocking = facts.flags & O_NONBLOCK != 0
        isICMP = SocketNumber.isICMP(
            domain, UInt32(bitPattern: facts.type), UInt32(bitPattern: facts.protocol))
    }

    /// Connects it to an address (`struct sockaddr`). `EACCES`: it is another socket than one for ICMP echo.
    package func connectEcho(to address: [UInt8]) throws(SystemError) {
        _ = unsafe try check(clinux_echo_connect(process, number, address, UInt32(address.count)), "connect")
    }
}
