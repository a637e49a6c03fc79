import TaskModel
import Testing
import Wire

/// Messages of several frames, as host and transfer process send them.
struct MessageFramesTests {
    private static let frames = TransferSamples.all.map(\.bytes)

    private func frames(of message: [UInt8]) throws -> [[UInt8]] {
        try message.withUnsafeBytes { try MessageFrames($0).frames.map { Array($0) } }
    }

    @Test func `A message falls into the frames that it was made of`() throws {
        #expect(try frames(of: Self.frames.flatMap { $0 }) == Self.frames)
        #expect(try frames(of: []).isEmpty)
    }

    @Test func `A message that ends within a frame is refused`() {
        let message = Self.frames[0] + Self.frames[1]
        for length in 1..<message.count where length != Self.frames[0].count {
            #expect(throws: WireError.self) { try frames(of: Array(message.prefix(length))) }
        }
    }

    @Test(arguments: [0, 15, UInt32.max])
    func `A frame with an impossible length is refused`(_ length: UInt32) {
        var frame = Self.frames[0]
        frame.withUnsafeMutableBytes { $0.storeBytes(of: length.littleEndian, toByteOffset: 4, as: UInt32.self) }
        #expect(throws: WireError.self) { try frames(of: frame) }
    }

    @Test func `An order that is longer than a frame is none`() throws {
        var order = TransferSamples.orders[1]
        order.certificate = order.authorities
        order.key = order.authorities
        order.grants = Array(repeating: NetworkGrant(.name("example.com"), port: 443), count: 1000)
        #expect(order.frame() == nil)
    }
}
