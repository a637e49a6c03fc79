package import Linux
package import TaskModel
package import Wire

/// The host's end of one worker: its wire, and the pipes of its output and its errors.
///
/// Outgoing frames are gathered and sent with one system call a turn. Frames of a worker come from an untrusted
/// process: they are bounded here and checked by the reader.
package final class WorkerChannel {
    /// A frame from a worker is not longer than this.
    package static let longestFrame = FrameHeader.longestFromWorker
    /// Most frames that one turn takes from one worker.
    package static let batch = 64
    /// Unread bytes beyond which the host does not read a worker any more: it sends requests and does not read the replies.
    package static let longBacklog = 256 << 10
    /// Bytes beyond which a worker that does not read is given up: twice the size of the largest manifest's frames.
    package static let mostBacklog = Limit.backlog.most

    /// Numbers for the poller.
    package var wire: Int32 { wireSocket.number }
    package var log: Int32 { logPipe.number }
    package var errors: Int32 { errorPipe.number }
    private let wireSocket: Descriptor
    /// Its standard output, and its standard error.
    private let logPipe: Descriptor
    private let errorPipe: Descriptor
    private var outgoing: [UInt8] = []
    private var offsets: [UInt32] = []
    private var lengths: [UInt32] = []
    private var sent = 0
    /// Descriptors that go with a frame, by its place in `offsets`; closed here once they are on their way.
    private var attachments: [(frame: Int, descriptors: DescriptorBundle)] = []
    /// Waiting bytes, without frames that start runs: of these there are no more than concurrent runs.
    package private(set) var backlog = 0
    /// Frames that were ever gathered, and those of them that are on their way.
    package private(set) var gathered: UInt64 = 0
    package private(set) var written: UInt64 = 0

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

    private init(wire: consuming Descriptor, log: consuming Descriptor, errors: consuming Descriptor) {
        wireSocket = wire
        logPipe = log
        errorPipe = errors
    }

    /// The worker's ends of a new channel. Close them (by dropping it) once the worker has its copies.
    package final class FarEnds {
        package let wire: Descriptor
        package let log: Descriptor
        package let errors: Descriptor

        init(wire: consuming Descriptor, log: consuming Descriptor, errors: consuming Descriptor) {
            self.wire = wire
            self.log = log
            self.errors = errors
        }

        /// In the order in which a launch takes them, before all others.
        package var numbers: [Int32] { [wire.number, log.number, errors.number] }
    }

    package static func make() throws(SystemError) -> (WorkerChannel, FarEnds) {
        var wire = try DescriptorPair.sockets()
        var log = try DescriptorPair.pipe(nonblocking: true)
        var errors = try DescriptorPair.pipe(nonblocking: true)
        let channel = WorkerChannel(wire: wire.takeNear(), log: log.takeNear(), errors: errors.takeNear())
        return (channel, FarEnds(wire: wire.takeFar(), log: log.takeFar(), errors: errors.takeFar()))
    }

    // MARK: Sending

    package func enqueue(_ frame: [UInt8]) {
        unsafe enqueue(length: frame.count) { buffer in unsafe buffer.copyBytes(from: frame) }
    }

    /// Adds a `start` frame to the turn's frames.
    ///
    /// - Parameters:
    ///   - names: identifier, title and subtitle of a run that has its own, and its place in a trace; their lengths stand in
    ///     `head`.
    ///   - secrets: descriptors that go along; `head` has their number.
    package func enqueue(
        _ head: StartFrame, run: RunHandle, payload: [UInt8], settings: [UInt8], names: [String],
        secrets: DescriptorBundle? = nil
    ) {
        if let secrets { attachments.append((offsets.count, secrets)) }
        unsafe enqueue(length: head.frameSize) { buffer in
            unsafe head.write(run: run, to: buffer)
            var rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[StartFrame.headSize...])
            unsafe rest.copyBytes(from: payload)
            unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[payload.count...])
            unsafe rest.copyBytes(from: settings)
            unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[settings.count...])
            for name in names {
                unsafe rest.copyBytes(from: name.utf8)
                unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[name.utf8.count...])
            }
        }
    }

    /// Adds a frame to the turn's frames. `fill` writes all `length` bytes.
    private func enqueue(length: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        guard length > 0 else { return }
        let offset = outgoing.count
        outgoing.append(contentsOf: repeatElement(0, count: length))
        unsafe outgoing.withUnsafeMutableBytes { unsafe fill(UnsafeMutableRawBufferPointer(rebasing: $0[offset...])) }
        offsets.append(UInt32(offset))
        lengths.append(UInt32(length))
        gathered += 1
        if outgoing[offset] != FrameKind.start.rawValue { backlog += length }
    }

    /// Sends what was gathered, as far as the worker takes it. `broken`: it does not read, and is to be given up.
    package func flush() -> Flow {
        while sent < offsets.count {
            do throws(SystemError) {
                let count = try sendSome()
                sent += count
                written += UInt64(count)
            } catch {
                if error.code == .EAGAIN || error.code == .ENOBUFS {
                    compact()
                    return backlog > Self.mostBacklog ? .broken : .full
                }
                forget()
                return .closed
            }
        }
        forget()
        return .done
    }

    /// Sends frames up to the next one that descriptors go with, or that one.
    private func sendSome() throws(SystemError) -> Int {
        guard let next = attachments.first else {
            return try wireSocket.sendMany(
                outgoing, offsets: offsets, lengths: lengths, without: sent, upTo: offsets.count)
        }
        guard next.frame == sent else {
            return try wireSocket.sendMany(
                outgoing, offsets: offsets, lengths: lengths, without: sent, upTo: next.frame)
        }
        let start = Int(offsets[sent])
        let frame = Array(outgoing[start..<start + Int(lengths[sent])])
        guard try wireSocket.send(frame, descriptors: next.descriptors.numbers, to: "a worker") else {
            throw SystemError("sendmsg", code: .EAGAIN, object: "a worker")
        }
        attachments.removeFirst()
        return 1
    }

    private func forget() {
        attachments.removeAll()
        // What one long answer took is not kept for ever.
        let keeps = outgoing.capacity <= Self.longBacklog
        outgoing.removeAll(keepingCapacity: keeps)
        offsets.removeAll(keepingCapacity: keeps)
        lengths.removeAll(keepingCapacity: keeps)
        sent = 0
        backlog = 0
        written = gathered
    }

    /// Releases sent bytes, so that a worker that reads slowly costs no more than its unread bytes.
    private func compact() {
        for index in 0..<sent where outgoing[Int(offsets[index])] != FrameKind.start.rawValue {
            backlog -= Int(lengths[index])
        }
        guard sent > 0 else { return }
        let start = offsets[sent]
        outgoing.removeFirst(Int(start))
        offsets.removeFirst(sent)
        lengths.removeFirst(sent)
        for index in attachments.indices { attachments[index].frame -= sent }
        for index in offsets.indices { offsets[index] -= start }
        sent = 0
    }

    // MARK: Receiving

    /// Takes up to `batch` frames into `room` and hands each to `body`, whose result says whether the frame was sound. The
    /// reader is good within `body` alone.
    package func receive(into room: FrameRoom, _ body: (FrameHeader, inout FrameReader) -> Bool) -> Flow {
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.batch) { lengths in
            let count: Int
            do throws(SystemError) {
                count = try unsafe wireSocket.receiveMany(into: room.bytes, stride: Self.longestFrame, lengths: lengths)
            } catch {
                return error.code == .EAGAIN ? .done : error.code == .ECONNRESET ? .closed : .broken
            }
            guard count > 0 else { return .closed }
            for index in 0..<count {
                guard unsafe lengths[index] > 0 else { return .broken }
                let start = index * Self.longestFrame
                let frame = unsafe UnsafeRawBufferPointer(rebasing: room.bytes[start..<start + Int(lengths[index])])
                guard let header = try? unsafe FrameHeader(reading: frame) else { return .broken }
                var reader = unsafe FrameReader(body: frame)
                guard body(header, &reader) else { return .broken }
            }
            return count == Self.batch ? .full : .done
        }
    }

    /// Reads the worker's output, at most the size of `buffer`: the number of bytes, 0 when there is nothing at
    /// present, nil when there is no writer left.
    ///
    /// - Parameter ofErrors: reads its standard error, not its standard output.
    package func readLog(ofErrors: Bool, into room: inout [UInt8]) -> Int? {
        guard let count = ofErrors ? try? errorPipe.read(into: &room) : try? logPipe.read(into: &room) else { return 0 }
        return count == 0 ? nil : count
    }
}
