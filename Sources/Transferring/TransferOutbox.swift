import Linux
import Wire

/// Frames for the transfer process, gathered into as few messages as possible: many frames in one, with the descriptors of
/// all its orders.
struct TransferOutbox {
    /// A frame always fits.
    private static let mostBytes = FrameHeader.maximumFrame
    /// The kernel takes 253 with a message (unix(7)), `Descriptor.send` 128.
    private static let mostDescriptors = 128

    private struct Message {
        var bytes: [UInt8] = []
        /// Closed when they are on their way, or forgotten.
        var descriptors: [DescriptorBundle] = []
        var numbers: [Int32] { descriptors.flatMap(\.numbers) }
    }

    private var messages: [Message] = []

    /// Nothing waits to be sent.
    var isEmpty: Bool { messages.isEmpty }

    mutating func add(_ frame: [UInt8], _ descriptors: DescriptorBundle = .none) {
        if let last = messages.last, last.bytes.count + frame.count <= Self.mostBytes,
            last.numbers.count + descriptors.numbers.count <= Self.mostDescriptors
        {
            messages[messages.count - 1].bytes += frame
            messages[messages.count - 1].descriptors.append(descriptors)
        } else {
            messages.append(Message(bytes: frame, descriptors: [descriptors]))
        }
    }

    /// Sends as much as the socket takes at present; the rest stays.
    ///
    /// - Throws: when the other side has closed.
    mutating func flush(to socket: borrowing Descriptor) throws(SystemError) {
        var sent = 0
        defer { messages.removeFirst(sent) }
        while sent < messages.count {
            let message = messages[sent]
            guard try socket.send(message.bytes, descriptors: message.numbers, to: "taskhost-transfer") else { return }
            sent += 1
        }
    }

    /// Discards unsent frames.
    mutating func clear() { messages = [] }
}
