import CLinux

/// A Unix socket without a name, for messages to sockets that have one. It never waits.
package struct DatagramSocket: ~Copyable {
    private let descriptor: Descriptor

    package init() throws(SystemError) {
        descriptor = Descriptor(adopting: try check(clinux_datagram_socket(), "socket"))
    }

    /// Messages that one call takes.
    package static let mostAtOnce = 128

    /// Sends messages to the socket at `path` with one call, `mostAtOnce` of them at most.
    ///
    /// - Parameters:
    ///   - bytes: the messages, one after another.
    ///   - lengths: theirs.
    /// - Returns: how many went out. Those after one that was refused are not tried.
    package borrowing func send(_ bytes: [UInt8], lengths: [UInt32], to path: String) throws(SystemError) -> Int {
        var offset: UInt32 = 0
        let offsets = lengths.map { length in
            defer { offset += length }
            return offset
        }
        precondition(offset == bytes.count, "the messages are all of the bytes")
        return unsafe Int(
            try check(
                clinux_send_many_to(descriptor.number, path, bytes, offsets, lengths, Int32(clamping: lengths.count)),
                "sendmmsg", path))
    }
}
