import CLinux
import Glibc
package import Linux
package import Wire

/// The host's end of one worker: its wire and its log pipe.
///
/// Outgoing frames are gathered and leave with one system call a turn. What a worker sends is a claim by a hostile
/// process: it is bounded here and checked by the reader.
package final class WorkerChannel {
    /// A frame from a worker is not longer than this.
    package static let longestFrame = 8 << 10
    /// Most frames that one turn takes from one worker.
    package static let batch = 64
    /// Outgoing bytes beyond which a worker that does not read is given up.
    private static let mostPending = 64 << 20

    package let wire: Int32
    package let log: Int32
    private let wireSocket: Descriptor
    private let logPipe: Descriptor
    private var outgoing: [UInt8] = []
    private var offsets: [UInt32] = []
    private var lengths: [UInt32] = []
    private var sent = 0

    /// What came of sending or receiving.
    package enum Flow: Sendable {
        case done
        /// The other side takes no more at present.
        case full
        /// The other side has closed its end.
        case closed
        /// The other side broke the rules.
        case broken
    }

    private init(wire: consuming Descriptor, log: consuming Descriptor) {
        self.wire = wire.number
        self.log = log.number
        wireSocket = wire
        logPipe = log
    }

    /// The worker's ends of a new channel. Close them (by dropping it) once the worker has its copies.
    package final class FarEnds {
        package let wire: Descriptor
        package let log: Descriptor

        init(wire: consuming Descriptor, log: consuming Descriptor) {
            self.wire = wire
            self.log = log
        }
    }

    package static func make() throws(SystemError) -> (WorkerChannel, FarEnds) {
        var pair: [Int32] = [-1, -1]
        try check(clinux_seqpacket_pair(&pair, 1 << 20), "socketpair")
        let near = Descriptor(adopting: pair[0])
        let far = Descriptor(adopting: pair[1])
        var pipe: [Int32] = [-1, -1]
        try check(clinux_pipe(&pipe, 1), "pipe2")
        let channel = WorkerChannel(wire: near, log: Descriptor(adopting: pipe[0]))
        return (channel, FarEnds(wire: far, log: Descriptor(adopting: pipe[1])))
    }

    // MARK: Sending

    /// Adds a frame to the turn's frames. `fill` writes all `length` bytes.
    package func enqueue(length: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        let offset = outgoing.count
        outgoing.append(contentsOf: repeatElement(0, count: length))
        outgoing.withUnsafeMutableBytes { fill(UnsafeMutableRawBufferPointer(rebasing: $0[offset...])) }
        offsets.append(UInt32(offset))
        lengths.append(UInt32(length))
    }

    package func enqueue(_ frame: [UInt8]) {
        enqueue(length: frame.count) { buffer in frame.withUnsafeBytes { buffer.copyMemory(from: $0) } }
    }

    /// Sends what was gathered, as far as the worker takes it.
    package func flush() -> Flow {
        while sent < offsets.count {
            let n = outgoing.withUnsafeBytes { bytes in
                offsets.withUnsafeBufferPointer { offsets in
                    lengths.withUnsafeBufferPointer { lengths in
                        clinux_send_many(
                            wire, bytes.baseAddress, offsets.baseAddress! + sent, lengths.baseAddress! + sent,
                            Int32(clamping: offsets.count - sent))
                    }
                }
            }
            if n == -EAGAIN || n == -ENOBUFS { return outgoing.count > Self.mostPending ? .broken : .full }
            guard n > 0 else { return .broken }
            sent += Int(n)
        }
        outgoing.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        sent = 0
        return .done
    }

    // MARK: Receiving

    /// Takes up to `batch` frames into `buffer` (`batch` × `longestFrame` bytes) and hands each to `body`, whose result
    /// says whether the frame was sound.
    package func receive(
        into buffer: UnsafeMutableRawBufferPointer, _ body: (FrameHeader, UnsafeRawBufferPointer) -> Bool
    ) -> Flow {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.batch) { lengths in
            let count = clinux_receive_many(
                wire, buffer.baseAddress, Self.longestFrame, lengths.baseAddress, Int32(Self.batch))
            if count == -EAGAIN { return .done }
            guard count > 0 else { return count == 0 || count == -ECONNRESET ? .closed : .broken }
            for index in 0..<Int(count) {
                guard lengths[index] > 0 else { return .broken }
                let start = index * Self.longestFrame
                let frame = UnsafeRawBufferPointer(rebasing: buffer[start..<start + Int(lengths[index])])
                guard let header = try? FrameHeader(reading: frame), body(header, frame) else { return .broken }
            }
            return Int(count) == Self.batch ? .full : .done
        }
    }

    /// Reads what the worker has printed, at most the size of `buffer`: the number of bytes, 0 when there is nothing at
    /// present, nil when nobody is left who could print.
    package func readLog(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let n = Glibc.read(log, buffer.baseAddress, buffer.count)
        return n == 0 ? nil : max(0, n)
    }
}
