import CLinux

/// A socket that preserves message boundaries, under a number that is valid for the life of this process and that no code
/// here closes. Any thread may send: messages are atomic.
package struct MessageSocket: Sendable {
    package let number: Int32

    /// Descriptors that one message can carry.
    private static let mostDescriptors = 128

    package init(lent number: Int32) { self.number = number }

    /// Sends one message with copies of descriptors. nil: it is out. Allocates nothing.
    ///
    /// - Parameter waits: while the other side is behind; else that is `EAGAIN`.
    package func send(
        _ message: UnsafeRawBufferPointer, descriptors: [Int32] = [], waits: Bool = true
    ) -> Errno? {
        let sent = unsafe clinux_send(
            number, message.baseAddress, message.count, descriptors, Int32(descriptors.count),
            waits ? 0 : CLINUX_DONTWAIT)
        return sent < 0 ? Errno(-sent) : nil
    }

    package func send(_ message: [UInt8], descriptors: [Int32] = [], waits: Bool = true) -> Errno? {
        unsafe message.withUnsafeBytes { unsafe send($0, descriptors: descriptors, waits: waits) }
    }

    /// Takes one message without descriptors; those that come along are closed. Its length, 0 at the end. Allocates nothing.
    ///
    /// - Throws: `EMSGSIZE` for one that is longer than the room.
    package func receive(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        unsafe Int(try check(clinux_receive(number, room.baseAddress, room.count, nil, 0, nil, 0), "recvmsg"))
    }

    /// The same with descriptors, each of which is handed to `take`.
    ///
    /// - Parameter waits: until there is one; else that is `EAGAIN`.
    package func receive(
        into room: UnsafeMutableRawBufferPointer, waits: Bool, _ take: (consuming Descriptor) -> Void
    ) throws(SystemError) -> Int {
        let length = unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.mostDescriptors) { numbers in
            var count: Int32 = 0
            let length = unsafe clinux_receive(
                number, room.baseAddress, room.count, numbers.baseAddress, Int32(numbers.count), &count,
                waits ? 0 : CLINUX_DONTWAIT)
            for place in 0..<Int(count) { take(Descriptor(adopting: unsafe numbers[place])) }
            return length
        }
        return Int(try check(length, "recvmsg"))
    }
}
