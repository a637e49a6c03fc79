import Glibc
import Linux
import TaskModel
import Testing
import Wire
import Workers

@Suite("The host's end of a worker's wire")
struct WorkerChannelTests {
    private static func answer(_ length: Int) -> [UInt8] {
        var frame = FrameWriter(.pendingList)
        frame.blob([UInt8](repeating: 0, count: length - FrameHeader.size - 4))
        return frame.finished() ?? []
    }

    private static func start(payload: Int) -> [UInt8] {
        let head = StartFrame(
            task: 0, attempt: 1, id: ULID(high: 0, low: 0), deadline: .distantFuture, payloadLength: UInt32(payload),
            settingsLength: 0)
        var frame = [UInt8](repeating: 0, count: head.frameSize)
        frame.withUnsafeMutableBytes { head.write(run: RunHandle(index: 1, generation: 1), to: $0) }
        return frame
    }

    /// Takes up to so many frames as a worker does; how many there were.
    private func read(_ far: WorkerChannel.FarEnds, _ count: Int) -> Int {
        var buffer = [UInt8](repeating: 0, count: FrameHeader.maximumFrame)
        for taken in 0..<count where recv(far.wire.number, &buffer, buffer.count, Int32(MSG_DONTWAIT)) <= 0 {
            return taken
        }
        return count
    }

    @Test("counts what a worker has not read, until it has")
    func backlog() throws {
        let (channel, far) = try WorkerChannel.make()
        for _ in 0..<1000 { channel.enqueue(Self.answer(4096)) }
        #expect(channel.backlog == 1000 * 4096)
        #expect(channel.flush() == .full)
        let written = channel.written
        #expect(written > 0 && written < 1000 && channel.gathered == 1000)
        #expect(channel.backlog == (1000 - Int(written)) * 4096)
        var taken = 0
        while channel.backlog > 0 {
            taken += read(far, 16)
            _ = channel.flush()
        }
        #expect(channel.written == 1000)
        #expect(taken + read(far, 1000) == 1000, "every frame came, once")
        #expect(channel.flush() == .done)
    }

    @Test("gives up a worker that reads nothing, long before that costs much")
    func unread() throws {
        let (channel, far) = try WorkerChannel.make()
        var sent = 0
        var flow = WorkerChannel.Flow.done
        while flow != .broken, sent < 64 << 20 {
            channel.enqueue(Self.answer(32 << 10))
            sent += 32 << 10
            flow = channel.flush()
        }
        #expect(flow == .broken)
        #expect(channel.backlog <= WorkerChannel.mostBacklog + 32 << 10)
        #expect(sent < 12 << 20)
        _ = far
    }

    @Test("holds no runs against a worker: there are no more of those than may run")
    func starts() throws {
        let (channel, far) = try WorkerChannel.make()
        for _ in 0..<128 { channel.enqueue(Self.start(payload: FrameHeader.maximumPayload)) }
        #expect(channel.flush() == .full)
        #expect(channel.backlog == 0)
        channel.enqueue(Self.answer(100))
        #expect(channel.backlog == 100)
        var taken = 0
        while channel.flush() == .full { taken += read(far, 2) }
        #expect(taken + read(far, 200) == 129)
    }

    @Test("distinguishes a worker that is gone from one that does not read")
    func gone() throws {
        let (channel, far) = try WorkerChannel.make()
        channel.enqueue(Self.answer(100))
        close(far)
        #expect(channel.flush() == .closed)
        #expect(channel.backlog == 0 && channel.written == channel.gathered)
    }

    private func close(_ far: WorkerChannel.FarEnds) { shutdown(far.wire.number, Int32(SHUT_RDWR)) }
}
