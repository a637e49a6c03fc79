import Linux
import TaskModel
import Wire

/// The worker's end of the wire. Any thread may send: a SEQPACKET message goes out whole.
struct WireChannel: Sendable {
    let socket: MessageSocket

    init(descriptor: Int32) { socket = MessageSocket(lent: descriptor) }

    /// Sends one frame, and blocks while the host is behind. When the host has ended, the worker exits.
    func send(_ frame: UnsafeRawBufferPointer) {
        if unsafe socket.send(frame) != nil { ThisProcess.exitAtOnce(WorkerExitStatus.hostGone) }
    }

    func send(_ frame: [UInt8]) {
        guard !frame.isEmpty else { return }
        unsafe frame.withUnsafeBytes { unsafe send($0) }
    }

    /// Sends a frame that is nothing but its header.
    func send(_ kind: FrameKind, run: RunHandle) {
        unsafe withUnsafeTemporaryAllocation(byteCount: FrameHeader.size, alignment: 8) { buffer in
            unsafe FrameHeader(kind: kind, length: FrameHeader.size, run: run).write(to: buffer)
            unsafe send(UnsafeRawBufferPointer(buffer))
        }
    }

    func send(_ completion: Completion, run: RunHandle) {
        unsafe withUnsafeTemporaryAllocation(byteCount: Completion.frameSize, alignment: 8) { buffer in
            unsafe completion.write(run: run, to: buffer)
            unsafe send(UnsafeRawBufferPointer(buffer))
        }
    }

    func send(_ code: DiagnosticCode, run: RunHandle) {
        var frame = FrameWriter(.diagnostic, run: run)
        frame.integer(code.rawValue)
        send(frame.finished() ?? [])
    }

    func send(_ denial: Denial, run: RunHandle) { send(denial.frame(run: run)) }

    /// Reports why there will be no worker, or no work by it.
    func send(_ refusal: LaunchRefusal, as kind: FrameKind, run: RunHandle = RunHandle(index: 0, generation: 0)) {
        send(refusal.frame(kind, run: run))
    }

    /// Sends a sentence, cut to a readable length.
    ///
    /// - Parameter isMissing: of `declined`: there is no such program.
    func send(
        _ kind: FrameKind, run: RunHandle = RunHandle(index: 0, generation: 0), sentence: String,
        isMissing: Bool = false
    ) {
        var frame = FrameWriter(kind, run: run)
        frame.blob(sentence.utf8.prefix(4096))
        if isMissing { frame.integer(UInt8(1)) }
        send(frame.finished() ?? [])
    }
}

/// The statuses with which a worker exits deliberately.
enum WorkerExitStatus {
    static let asked: Int32 = 0
    static let refused: Int32 = 90
    static let hostGone: Int32 = 91
    static let protocolFault: Int32 = 92
}
