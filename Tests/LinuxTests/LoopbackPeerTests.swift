import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("The user at the other end of a connection within the machine")
struct LoopbackPeerTests {
    /// A client that is connected, by a socket of IPv6 if so, and the other end of it.
    private func pair(_ address: String, mapped: Bool = false, _ body: (Int32, borrowing Descriptor) throws -> Void)
        throws
    {
        let listener = try Descriptor.listen(
            at: SocketAddress(try #require(NetworkAddress(address)), port: 0), backlog: 4)
        let port = try listener.boundPort()
        let isSix = mapped || address.contains(":")
        let client = socket(isSix ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var (four, six) = (sockaddr_in(), sockaddr_in6())
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        inet_pton(AF_INET, address, &four.sin_addr)
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        inet_pton(AF_INET6, mapped ? "::ffff:" + address : address, &six.sin6_addr)
        let result =
            isSix
            ? withUnsafePointer(to: &six) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, 28) }
            }
            : withUnsafePointer(to: &four) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, 16) }
            }
        try #require(result == 0)
        try body(client, try listener.accept())
    }

    @Test("is the user whose socket it is", arguments: [("127.0.0.1", false), ("127.0.0.1", true), ("::1", false)])
    func own(_ address: String, _ mapped: Bool) throws {
        try pair(address, mapped: mapped) { client, end in
            #expect(LoopbackPeer(of: end) == .user(getuid()))
            guard ThisProcess.isRoot else { return }
            try #require(fchown(client, 12_345, gid_t.max) == 0)
            #expect(LoopbackPeer(of: end) == .user(12_345))
        }
    }

    @Test("is found without a look at all sockets of the machine")
    func crowd() throws {
        // Connections that have ended stay in the kernel's table for a minute, and take no descriptors.
        for _ in 0..<3000 { try pair("127.0.0.1") { client, _ in shutdown(client, Int32(SHUT_RDWR)) } }
        try pair("127.0.0.1") { _, end in
            let before = processorTime
            for _ in 0..<50 { #expect(LoopbackPeer(of: end) == .user(getuid())) }
            #expect(processorTime - before < 50e6)
        }
    }

    @Test(
        "is the same in the table of all sockets",
        arguments: [("127.0.0.1", false), ("127.0.0.1", true), ("::1", false)])
    func table(_ address: String, _ mapped: Bool) throws {
        try pair(address, mapped: mapped) { client, end in
            #expect(LoopbackPeer.searched(for: end) == .user(getuid()))
            shutdown(client, Int32(SHUT_WR))
            #expect(LoopbackPeer.searched(for: end) == .gone)
        }
    }

    @Test("is gone once it is closed")
    func closed() throws {
        try pair("127.0.0.1") { client, end in
            shutdown(client, Int32(SHUT_WR))
            #expect(LoopbackPeer(of: end) == .gone)
        }
    }
}
