import TaskModel
import Wire

/// Reads the input as one message between the host and the transfer process, in either direction. What was understood must say
/// the same when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The sanitizer watches the ends of this very allocation.
    let message = UnsafeRawBufferPointer(start: start, count: count)
    guard let frames = try? MessageFrames(message).frames else { return 0 }
    precondition(frames.reduce(0) { $0 + $1.count } == count, "the frames are the whole message")
    for frame in frames {
        do throws(WireError) {
            try read(frame)
        } catch {
            if case .unknownVersion(let version) = error {
                precondition(version != FrameHeader.version, "the own version is known")
            }
        }
    }
    return 0
}

private func read(_ frame: UnsafeRawBufferPointer) throws(WireError) {
    let header = try FrameHeader(reading: frame)
    precondition(Int(header.length) == frame.count, "the header tells the length")
    guard let kind = FrameKind(rawValue: header.kind) else { throw .unknownKind(header.kind) }
    let transfer = header.transfer
    var reader = FrameReader(body: frame)
    switch kind {
    case .transferOrder:
        let order = try TransferOrder(from: &reader, transfer: transfer)
        // Repaired texts may have grown beyond their bounds.
        again(order.frame()) { (reader) throws(WireError) in
            try TransferOrder(from: &reader, transfer: transfer) == order
        }
    case .stopTransfer: _ = try StopTransfer(from: &reader, transfer: transfer)
    case .transferRate:
        let rate = try TransferRate(from: &reader, transfer: transfer)
        again(rate.frame()) { (reader) throws(WireError) in try TransferRate(from: &reader, transfer: transfer) == rate
        }
    case .observeTransfer:
        let wish = try ObserveTransfer(from: &reader, transfer: transfer)
        again(wish.frame()) { (reader) throws(WireError) in
            try ObserveTransfer(from: &reader, transfer: transfer) == wish
        }
    case .transferRefused: _ = try reader.text(most: ServiceLimits.sentence)
    default:
        let report = try TransferReport(from: &reader, kind: kind)
        precondition(report.kind == kind, "a report keeps its kind")
        _ = report.frame(transfer)
    }
}

private func again(_ bytes: [UInt8]?, _ isSame: (inout FrameReader) throws(WireError) -> Bool) {
    guard let bytes, !bytes.isEmpty else { return }
    let same = bytes.withUnsafeBytes { frame in
        var reader = FrameReader(body: frame)
        do throws(WireError) { return try isSame(&reader) } catch { return true }
    }
    precondition(same, "what was understood reads back the same")
}
