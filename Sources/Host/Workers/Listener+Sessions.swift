import Wire

// Workers' frames about background sessions (taskhost.transfer/1).
extension Listener {
    /// One frame of these. Throws for what no honest worker sends.
    func serveSessions(
        _ kind: FrameKind, _ header: FrameHeader, _ reader: inout FrameReader, of record: WorkerRecord
    ) throws(WireError) {
        guard let transfers else { throw .unknownKind(kind.rawValue) }
        switch kind {
        case .openSession:
            let callID = try open(header, of: record)
            let frames = transfers.open(try OpenSession(from: &reader), by: record)
            answer(record) { frames(callID) }
        case .createTransfer: try transfers.create(try CreateTransfer(from: &reader), by: record)
        case .changeTransfer: transfers.change(try ChangeTransfer(from: &reader), by: record)
        case .answerTransfer: transfers.answer(try AnswerTransfer(from: &reader), by: record)
        case .acknowledgeTransfer: try transfers.acknowledge(try AcknowledgeTransfer(from: &reader), by: record)
        case .sessionCommand: transfers.command(try SessionCommand(from: &reader), by: record)
        case .setAuthorization:
            transfers.setAuthorization(try SetAuthorization(from: &reader), of: header.run, by: record)
        case .sessionHandled: transfers.handled(try SessionEvents(from: &reader).identifier, by: record)
        default: throw .unknownKind(kind.rawValue)
        }
    }
}
