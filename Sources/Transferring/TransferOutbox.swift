import CLinux
import Glibc
import Linux
import Wire

/// What the transfer process is to be told, gathered into as few messages as it fits: many frames in one, with the descriptors of
/// all its orders.
struct TransferOutbox {
    /// A frame always fits.
    private static let mostBytes = FrameHeader.maximumFrame
    /// The kernel takes 253 with a message (unix(7)), `clinux_send` 128.
    private static let mostDescriptors = 128

    private struct Message {
        var bytes: [UInt8] = []
        var descriptors: [Int32] = []
    }

    private var messages: [Message] = []

    /// Nothing waits to be sent.
    var isEmpty: Bool { messages.isEmpty }

    /// - Parameter descriptors: closed when they are on their way, or forgotten.
    mutating func add(_ frame: [UInt8], _ descriptors: [Int32] = []) {
        if let last = messages.last, last.bytes.count + frame.count <= Self.mostBytes,
            last.descriptors.count + descriptors.count <= Self.mostDescriptors
        {
            messages[messages.count - 1].bytes += frame
            messages[messages.count - 1].descriptors += descriptors
        } else {
            messages.append(Message(bytes: frame, descriptors: descriptors))
        }
    }

    /// Sends what the socket takes at present; the rest stays.
    ///
    /// - Throws: when nobody is there any more.
    mutating func flush(to socket: Int32) throws(SystemError) {
        var sent = 0
        defer {
            for message in messages[..<sent] { Self.close(message) }
            messages.removeFirst(sent)
        }
        while sent < messages.count {
            let message = messages[sent]
            let result = clinux_send(
                socket, message.bytes, message.bytes.count, message.descriptors, Int32(message.descriptors.count),
                CLINUX_DONTWAIT)
            // Too many references: descriptors that are under way count against the user's limit (unix(7)).
            if result == -EAGAIN || result == -ENOBUFS || result == -ETOOMANYREFS { return }
            try check(result, "sendmsg", "taskhost-transfer")
            sent += 1
        }
    }

    /// Forgets what was not sent.
    mutating func clear() {
        for message in messages { Self.close(message) }
        messages = []
    }

    private static func close(_ message: Message) {
        for descriptor in message.descriptors { Glibc.close(descriptor) }
    }
}
