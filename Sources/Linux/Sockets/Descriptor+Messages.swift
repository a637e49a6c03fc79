import CLinux
import Glibc

// Messages on sockets that preserve their boundaries; none of these calls waits.
extension Descriptor {
    /// Sends one message with copies of descriptors. False: the socket takes no more at present.
    ///
    /// - Parameter name: the other side's, for the error.
    package borrowing func send(
        _ message: [UInt8], descriptors: [Int32] = [], to name: String
    ) throws(SystemError) -> Bool {
        let result = unsafe clinux_send(
            number, message, message.count, descriptors, Int32(descriptors.count), CLINUX_DONTWAIT)
        // Too many references: descriptors that are under way count against the user's limit (unix(7)).
        if result == -EAGAIN || result == -ENOBUFS || result == -ETOOMANYREFS { return false }
        try check(result, "sendmsg", name)
        return true
    }

    /// Takes one message; descriptors that come along are dropped. Its length, 0 at the end of the conversation.
    ///
    /// - Throws: `EAGAIN` when there is none, `EMSGSIZE` for one that is longer than the room.
    package borrowing func receive(into room: inout [UInt8]) throws(SystemError) -> Int {
        let length = unsafe room.withUnsafeMutableBytes {
            unsafe clinux_receive(number, $0.baseAddress, $0.count, nil, 0, nil, CLINUX_DONTWAIT)
        }
        return Int(try check(length, "recvmsg"))
    }

    /// The same, but takes the one descriptor that came along; others are dropped. nil: none did.
    package borrowing func receive(into room: inout [UInt8], with descriptor: inout Descriptor?) throws(SystemError)
        -> Int
    {
        var other: Int32 = -1
        var count: Int32 = 0
        let length = unsafe room.withUnsafeMutableBytes {
            unsafe clinux_receive(number, $0.baseAddress, $0.count, &other, 1, &count, CLINUX_DONTWAIT)
        }
        descriptor = count == 1 ? Descriptor(adopting: other) : nil
        return Int(try check(length, "recvmsg"))
    }

    /// Sends messages with one call: of `bytes` those that begin at `offsets`, from `sent` up to `end`. How many went out.
    package borrowing func sendMany(
        _ bytes: [UInt8], offsets: [UInt32], lengths: [UInt32], without sent: Int, upTo end: Int
    ) throws(SystemError) -> Int {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe offsets.withUnsafeBufferPointer { offsets in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe clinux_send_many(
                        number, bytes.baseAddress, offsets.baseAddress.map { unsafe $0 + sent },
                        unsafe lengths.baseAddress.map { unsafe $0 + sent }, Int32(clamping: end - sent))
                }
            }
        }
        return Int(try check(count, "sendmmsg"))
    }

    /// Takes messages with one call, each to its own `stride` bytes of the room. How many, 0 at the end of the conversation.
    ///
    /// - Parameter lengths: one for each message; -1: it was longer, or carried descriptors.
    /// - Throws: `EAGAIN` when there is none.
    package borrowing func receiveMany(
        into room: UnsafeMutableRawBufferPointer, stride: Int, lengths: UnsafeMutableBufferPointer<Int32>
    ) throws(SystemError) -> Int {
        precondition(room.count >= stride * lengths.count, "each message has its room")
        return unsafe Int(
            try check(
                clinux_receive_many(number, room.baseAddress, stride, lengths.baseAddress, Int32(lengths.count)),
                "recvmmsg"))
    }
}
