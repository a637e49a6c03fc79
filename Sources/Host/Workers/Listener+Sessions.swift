import Wire

// Workers' frames about background sessions (taskhost.transfer/1).
extension Listener {
    /// One frame of these. Throws for what no honest worker sends.
    func serveSessions(
        _ kind: FrameKind, _ header: FrameHeader, _ reader: inout FrameReader, of record: WorkerRecord
    ) throws(WireError) {
        guard let commands = transfers?.commands else { throw .unknownKind(kind.rawValue) }
        switch kind {
        case .openSession:
            let callID = try open(header, of: record)
            let frames = commands.open(try OpenSession(from: &reader), by: record)
            answer(record) { frames(callID) }
        case .createTransfer: try commands.create(try CreateTransfer(from: &reader), by: record)
        case .changeTransfer: commands.change(try ChangeTransfer(from: &reader), by: record)
        case .answerTransfer: commands.answer(try AnswerTransfer(from: &reader), by: record)
        case .acknowledgeTransfer: try commands.acknowledge(try AcknowledgeTransfer(from: &reader), by: record)
        case .sessionCommand: commands.command(try SessionCommand(from: &reader), by: record)
        case .setAuthorization:
            commands.credentials.setAuthorization(try SetAuthorization(from: &reader), of: header.run, by: record)
        case .sessionHandled: commands.delivery.handled(try SessionEvents(from: &reader).identifier, by: record)
        default: throw .unknownKind(kind.rawValue)
        }
    }
}
