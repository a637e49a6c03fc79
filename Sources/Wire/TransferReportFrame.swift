package import TaskModel

extension TransferReport {
    package var kind: FrameKind {
        switch self {
        case .answered: .transferAnswered
        case .progress: .transferProgress
        case .durable: .transferDurable
        case .whole: .transferWhole
        case .uploadCreated: .uploadCreated
        case .ended: .transferEnded
        }
    }

    /// Frames from `taskhost-transfer` to the host: the header has the transfer instead of a run. Sentences, realms and
    /// addresses are cut; `TransferLimit` bounds the rest.
    package func frame(_ transfer: TransferHandle) -> [UInt8] {
        var frame = FrameWriter(kind, transfer: transfer)
        switch self {
        case .answered(let response, let address, let offset, let total, let validator):
            frame.integer(response.status)
            frame.text(response.url, most: TransferLimit.url)
            frame.headers(response.headers)
            frame.text(address, most: Self.address)
            frame.integer(offset)
            frame.integer(total ?? -1)
            frame.text(validator, most: TransferLimit.headers)
        case .progress(let received, let sent):
            frame.integer(received)
            frame.integer(sent)
        case .durable(let received), .whole(let received): frame.integer(received)
        case .uploadCreated(let location): frame.text(location, most: TransferLimit.url)
        case .ended(let result): result.write(to: &frame)
        }
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader, kind: FrameKind) throws(WireError) {
        switch kind {
        case .transferAnswered:
            let response = TransferResponse(
                status: try frame.integer(), url: try frame.text(most: TransferLimit.url), headers: try frame.headers())
            self = .answered(
                response, address: try frame.text(most: Self.address), offset: try frame.size(),
                total: try frame.count(), validator: try frame.text(most: TransferLimit.headers))
        case .transferProgress: self = .progress(received: try frame.size(), sent: try frame.size())
        case .transferDurable: self = .durable(received: try frame.size())
        case .transferWhole: self = .whole(received: try frame.size())
        case .uploadCreated: self = .uploadCreated(location: try frame.text(most: TransferLimit.url))
        case .transferEnded: self = .ended(try TransferResult(from: &frame))
        default: throw .unknownKind(kind.rawValue)
        }
        try frame.end()
    }

    /// Bytes of an address with its port.
    fileprivate static let address = 128
}

extension TransferResult {
    fileprivate func write(to frame: inout FrameWriter) {
        frame.integer(kind.rawValue)
        frame.integer(error?.rawValue ?? 0)
        frame.text(sentence, most: ServiceLimits.sentence)
        frame.flag(challenge != nil)
        challenge?.write(to: &frame)
        frame.integer(received)
        frame.integer(sent)
        frame.integer(retryAfter ?? -1)
        frame.flag(isFileUseless)
        frame.integer(status)
        frame.text(address, most: TransferReport.address)
    }

    fileprivate init(from frame: inout FrameReader) throws(WireError) {
        guard let kind = Kind(rawValue: try frame.integer()) else { throw .badValue }
        let error = try frame.transferError()
        self.init(kind, error: error, sentence: try frame.text(most: ServiceLimits.sentence))
        if try frame.flag() { challenge = try TransferChallenge(from: &frame) }
        received = try frame.size()
        sent = try frame.size()
        retryAfter = try frame.count().map { min($0, TransferLimit.longestRetryAfter) }
        isFileUseless = try frame.flag()
        status = try frame.integer()
        address = try frame.text(most: TransferReport.address)
    }
}
