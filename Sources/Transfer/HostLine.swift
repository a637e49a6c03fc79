import Linux
import TaskModel
import Wire

/// The connection to the host. The reports of one turn are sent in as few messages as possible.
// Its buffer is its own from init to deinit; one thread.
@safe final class HostLine {
    private let socket: MessageSocket
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FrameHeader.maximumFrame, alignment: 16)
    /// Whole messages that wait, the newest of which grows.
    private var messages: [[UInt8]] = []

    /// Most messages that one turn takes.
    private static let batch = 8

    init(socket: Int32) { self.socket = MessageSocket(lent: socket) }

    deinit { unsafe buffer.deallocate() }

    /// The host has not received everything yet.
    var isWaiting: Bool { !messages.isEmpty }

    func report(_ report: TransferReport, of transfer: TransferHandle) {
        let frame = report.frame(transfer)
        if let last = messages.last, last.count + frame.count <= FrameHeader.maximumFrame {
            messages[messages.count - 1] += frame
        } else {
            messages.append(frame)
        }
    }

    /// Sends as much as the host takes at present. Exits when the host has ended.
    func flush() {
        var sent = 0
        defer { messages.removeFirst(sent) }
        while sent < messages.count {
            switch socket.send(messages[sent], waits: false) {
            case nil: sent += 1
            case .EAGAIN, .ENOBUFS: return
            default: ThisProcess.exitAtOnce(0)
            }
        }
    }

    /// A command of the host.
    enum Word {
        case order(TransferOrder, file: OpenFile, folder: OpenFile, source: OpenFile?)
        case stop(TransferHandle)
        case rate(TransferHandle, Int64)
        case observe(TransferHandle, Bool)
    }

    /// Delivers received commands. Exits when the host has closed its end, or breaks the protocol.
    func receive(_ body: (Word) -> Void) {
        for _ in 0..<Self.batch {
            var files: [OpenFile] = []
            let length: Int
            do throws(SystemError) {
                length = try unsafe socket.receive(into: buffer, waits: false) { files.append(OpenFile($0)) }
            } catch {
                if error.code == .EAGAIN { return }
                ThisProcess.exitAtOnce(71)
            }
            guard length > 0 else { ThisProcess.exitAtOnce(0) }
            var rest = files[...]
            do throws(WireError) {
                let message = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<length])
                let frames = try unsafe MessageFrames(message).frames
                for index in unsafe frames.indices { body(try unsafe Self.word(frames[index], &rest)) }
            } catch {
                ThisProcess.exitAtOnce(71)
            }
        }
    }

    private static func word(
        _ frame: UnsafeRawBufferPointer, _ files: inout ArraySlice<OpenFile>
    ) throws(WireError) -> Word {
        let header = try unsafe FrameHeader(reading: frame)
        var reader = unsafe FrameReader(body: frame)
        switch FrameKind(rawValue: header.kind) {
        case .transferOrder:
            let order = try TransferOrder(from: &reader, transfer: header.transfer)
            // The kernel drops descriptors for which there is no number (unix(7)): the host retries this transfer.
            guard let file = files.popFirst(), let folder = files.popFirst() else { throw .truncated }
            guard order.kind == .upload else { return .order(order, file: file, folder: folder, source: nil) }
            guard let source = files.popFirst() else { throw .truncated }
            return .order(order, file: file, folder: folder, source: source)
        case .stopTransfer: return .stop(try StopTransfer(from: &reader, transfer: header.transfer).transfer)
        case .transferRate:
            let frame = try TransferRate(from: &reader, transfer: header.transfer)
            return .rate(frame.transfer, frame.rate)
        case .observeTransfer:
            let frame = try ObserveTransfer(from: &reader, transfer: header.transfer)
            return .observe(frame.transfer, frame.isObserved)
        default: throw .unknownKind(header.kind)
        }
    }
}
