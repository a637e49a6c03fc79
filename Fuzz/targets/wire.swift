import TaskModel
import Wire

/// Reads the input as one received message, by its kind, as host, worker and zygote do. What was understood must say the
/// same when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The sanitizer watches the ends of this very allocation.
    let frame = UnsafeRawBufferPointer(start: start, count: count)
    do throws(WireError) {
        try read(frame)
    } catch {
        if case .unknownVersion(let version) = error {
            precondition(version != FrameHeader.version, "the own version is known")
        }
    }
    return 0
}

private func read(_ frame: UnsafeRawBufferPointer) throws(WireError) {
    let header = try FrameHeader(reading: frame)
    precondition(Int(header.length) == frame.count, "the header tells the length")
    guard let kind = FrameKind(rawValue: header.kind) else { throw .unknownKind(header.kind) }
    var reader = FrameReader(body: frame)
    switch kind {
    case .completed: checkCompletion(try Completion(reading: frame), header.run)
    case .start: checkStart(try StartFrame(reading: frame), header.run, frame)
    case .task:
        let plan = try TaskPlan(from: &reader)
        again(kind, { plan.write(to: &$0) }) { (reader) throws(WireError) in isSame(plan, try TaskPlan(from: &reader)) }
    case .launch:
        let plan = try LaunchPlan(from: &reader)
        again(kind, { plan.write(to: &$0) }) { (reader) throws(WireError) in try LaunchPlan(from: &reader) == plan }
    case .confined:
        let report = try ConfinementReport(from: &reader)
        again(report.frame()) { (reader) throws(WireError) in try ConfinementReport(from: &reader) == report }
    case .progress:
        let report = try ProgressReport(from: &reader)
        again(report.frame(run: header.run)) { (reader) throws(WireError) in
            try ProgressReport(from: &reader) == report
        }
    case .exited:
        let report = try ExitReport(from: &reader)
        again(report.frame(callID: header.run)) { (reader) throws(WireError) in try ExitReport(from: &reader) == report
        }
    case .refused, .launchFailed:
        let refusal = try LaunchRefusal(from: &reader)
        again(refusal.frame(.refused, run: header.run)) { (reader) throws(WireError) in
            try LaunchRefusal(from: &reader) == refusal || refusal.sentence.utf8.count > LaunchRefusal.maximumSentence
        }
    case .declined, .preload: _ = try reader.text()
    case .log:
        _ = try reader.integer(UInt8.self)
        _ = try reader.bytes()
    case .denied:
        let denial = try Denial(from: &reader)
        again(denial.frame(run: header.run)) { (reader) throws(WireError) in try Denial(from: &reader) == denial }
    case .counted:
        let count = try WorkerCount(from: &reader)
        again(count.frame()) { (reader) throws(WireError) in try WorkerCount(from: &reader) == count }
    case .crashing: _ = try CrashReport(from: &reader, run: header.run)
    case .diagnostic: _ = DiagnosticCode(rawValue: try reader.integer())
    case .expire: _ = try reader.integer(UInt32.self)
    case .launched: _ = try reader.integer(Int32.self)
    case .unreported, .terminate, .expireAssertions, .pendingRequests, .ready, .census, .returned, .watchNetwork:
        try reader.end()
    case .deadline: _ = try reader.integer(UInt64.self)
    case .writable: _ = try reader.read() as [String]
    case .hosts:
        let list = try HostList(from: &reader)
        again(list.frame()) { (reader) throws(WireError) in try HostList(from: &reader) == list }
    case .network:
        let network = try NetworkFrame(from: &reader)
        again(network.frame()) { (reader) throws(WireError) in try NetworkFrame(from: &reader) == network }
    case .sessionOpened, .transferEvent, .sessionEvents, .openSession, .createTransfer, .changeTransfer,
        .answerTransfer, .acknowledgeTransfer, .sessionCommand, .setAuthorization, .sessionHandled:
        try readSession(kind, header, &reader)
    // The target wire-transfers reads these, many in one message.
    case .transferOrder, .stopTransfer, .transferRate, .observeTransfer, .transferAnswered, .transferProgress,
        .transferDurable, .uploadCreated, .transferEnded, .transferRefused, .transferWhole, .transferInformed:
        throw .unknownKind(header.kind)
    case .submitRequest, .cancelRequests, .submitted, .pendingList, .stateChanged, .title, .misuse, .assertionBegan,
        .assertionEnded, .fetchInterval, .notification:
        try readService(kind, header, &reader)
    }
}

/// The frames of the scheduling services.
private func readService(_ kind: FrameKind, _ header: FrameHeader, _ reader: inout FrameReader) throws(WireError) {
    let callID = header.run.callID
    switch kind {
    case .submitRequest:
        let value = try TaskRequest(from: &reader)
        guard value.identifier.utf8.count <= ServiceLimits.identifier else { return }
        again(value.frame(callID: callID), cut: true) { (r) throws(WireError) in try TaskRequest(from: &r) == value }
    case .cancelRequests:
        let value = try CancelFrame(from: &reader)
        guard value.identifier.utf8.count <= ServiceLimits.identifier else { return }
        again(value.frame(callID: callID)) { (r) throws(WireError) in try CancelFrame(from: &r) == value }
    case .submitted:
        let value = try SubmissionReply(from: &reader)
        again(value.frame(callID: callID), cut: true) { (r) throws(WireError) in try SubmissionReply(from: &r) == value
        }
    case .pendingList:
        let value = try PendingList(from: &reader)
        guard value.requests.allSatisfy({ $0.identifier.utf8.count <= ServiceLimits.identifier }) else { return }
        again(value.frame(callID: callID), cut: true) { (r) throws(WireError) in try PendingList(from: &r) == value }
    case .stateChanged:
        let value = try ApplicationStatus(from: &reader)
        again(value.frame()) { (r) throws(WireError) in try ApplicationStatus(from: &r) == value }
    case .title:
        let value = try TitleReport(from: &reader)
        again(value.frame(run: header.run), cut: true) { (r) throws(WireError) in try TitleReport(from: &r) == value }
    case .misuse:
        let value = try SentenceReport(from: &reader)
        again(value.frame(.misuse), cut: true) { (r) throws(WireError) in try SentenceReport(from: &r) == value }
    case .notification:
        let value = try SentenceReport(from: &reader)
        again(value.frame(.notification), cut: true) { (r) throws(WireError) in try SentenceReport(from: &r) == value }
    case .assertionBegan:
        let value = try AssertionBegan(from: &reader)
        again(value.frame(), cut: true) { (r) throws(WireError) in try AssertionBegan(from: &r) == value }
    case .assertionEnded:
        let value = try AssertionEnded(from: &reader)
        again(value.frame()) { (r) throws(WireError) in try AssertionEnded(from: &r) == value }
    default:
        let value = try FetchInterval(from: &reader)
        again(value.frame()) { (r) throws(WireError) in try FetchInterval(from: &r) == value }
    }
}

/// The frames of background sessions.
private func readSession(_ kind: FrameKind, _ header: FrameHeader, _ reader: inout FrameReader) throws(WireError) {
    let callID = header.run.callID
    switch kind {
    case .sessionOpened:
        let value = try SessionOpened(from: &reader)
        repaired(value.frame(callID: callID)) { (r) throws(WireError) in
            _ = try SessionOpened(from: &r)
            return true
        }
    case .transferEvent:
        let value = try TransferEventFrame(from: &reader)
        repaired(value.frame()) { (r) throws(WireError) in
            // Sentences are cut when they are written.
            _ = try TransferEventFrame(from: &r)
            return true
        }
    case .sessionEvents, .sessionHandled:
        let value = try SessionEvents(from: &reader)
        repaired(value.frame(kind)) { (r) throws(WireError) in try SessionEvents(from: &r) == value }
    case .openSession:
        let value = try OpenSession(from: &reader)
        repaired(value.frame(callID: callID)) { (r) throws(WireError) in try OpenSession(from: &r) == value }
    case .createTransfer:
        let value = try CreateTransfer(from: &reader)
        repaired(value.frame() ?? []) { (r) throws(WireError) in try CreateTransfer(from: &r) == value }
    case .changeTransfer:
        let value = try ChangeTransfer(from: &reader)
        repaired(value.frame()) { (r) throws(WireError) in try ChangeTransfer(from: &r) == value }
    case .answerTransfer:
        let value = try AnswerTransfer(from: &reader)
        repaired(value.frame() ?? []) { (r) throws(WireError) in try AnswerTransfer(from: &r) == value }
    case .acknowledgeTransfer:
        let value = try AcknowledgeTransfer(from: &reader)
        again(value.frame()) { (r) throws(WireError) in try AcknowledgeTransfer(from: &r) == value }
    case .sessionCommand:
        let value = try SessionCommand(from: &reader)
        again(value.frame()) { (r) throws(WireError) in try SessionCommand(from: &r) == value }
    default:
        let value = try SetAuthorization(from: &reader)
        repaired(value.frame() ?? []) { (r) throws(WireError) in try SetAuthorization(from: &r) == value }
    }
}

private func checkCompletion(_ completion: Completion, _ run: RunHandle) {
    var bytes = [UInt8](repeating: 0, count: Completion.frameSize)
    bytes.withUnsafeMutableBytes { completion.write(run: run, to: $0) }
    let second = bytes.withUnsafeBytes { try? Completion(reading: $0) }
    if case .real(let value) = completion.result, value.isNaN { return }
    precondition(second == completion, "a completion reads back the same")
}

private func checkStart(_ start: StartFrame, _ run: RunHandle, _ frame: UnsafeRawBufferPointer) {
    precondition(start.frameSize == frame.count, "payload and settings fill the frame")
    var bytes = Array(frame)
    bytes.withUnsafeMutableBytes { start.write(run: run, to: $0) }
    precondition(bytes.withUnsafeBytes { try? StartFrame(reading: $0) } == start, "a start reads back the same")
}

/// Texts that were repaired may have grown beyond a frame; then there is nothing to compare.
private func again(
    _ kind: FrameKind, _ write: (inout FrameWriter) -> Void, _ isSame: (inout FrameReader) throws(WireError) -> Bool
) {
    var writer = FrameWriter(kind)
    write(&writer)
    again(writer.finished() ?? [], isSame)
}

/// Texts that were repaired, and so have grown, may be cut when they are written: what is read then may differ, but is read.
private func again(
    _ bytes: [UInt8], cut: Bool, _ isSame: (inout FrameReader) throws(WireError) -> Bool
) {
    again(bytes) { (reader) throws(WireError) in
        let same = try isSame(&reader)
        return same || cut
    }
}

/// Texts that were repaired may have grown beyond their bounds: what is refused then says nothing.
private func repaired(_ bytes: [UInt8], _ isSame: (inout FrameReader) throws(WireError) -> Bool) {
    again(bytes) { (reader) throws(WireError) in
        do throws(WireError) { return try isSame(&reader) } catch { return true }
    }
}

private func again(_ bytes: [UInt8], _ isSame: (inout FrameReader) throws(WireError) -> Bool) {
    guard !bytes.isEmpty else { return }
    let same = bytes.withUnsafeBytes { frame in
        var reader = FrameReader(body: frame)
        do throws(WireError) { return try isSame(&reader) } catch { return false }
    }
    precondition(same, "what was understood reads back the same")
}

/// Numbers that are none equal nothing, themselves included.
private func isSame(_ a: TaskPlan, _ b: TaskPlan) -> Bool { a == b || "\(a)" == "\(b)" }
