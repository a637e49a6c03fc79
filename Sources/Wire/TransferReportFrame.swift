package import TaskModel

extension TransferReport {
    package var kind: FrameKind {
        switch self {
        case .answered: .transferAnswered
        case .progress: .transferProgress
        case .durable: .transferDurable
        case .whole: .transferWhole
        case .uploadCreated: .uploadCreated
        case .informed: .transferInformed
        case .ended: .transferEnded
        }
    }

    /// Frames from `taskhost-transfer` to the host: the header has the transfer instead of a run. Sentences, realms and
    /// addresses are cut; `TransferLimit` bounds the rest.
    package func frame(_ transfer: TransferHandle) -> [UInt8] {
        var frame = FrameWriter(kind, transfer: transfer)
        switch self {
        case .answered(let response, let address, let offset, let total, let validator):
            write(response, to: &frame)
            frame.text(address, most: Self.address)
            frame.write(offset, total)
            frame.text(validator, most: TransferLimit.headers)
        case .progress(let received, let sent): frame.write(received, sent)
        case .durable(let received), .whole(let received): frame.write(received)
        case .uploadCreated(let location): frame.text(location, most: TransferLimit.url)
        case .informed(let response): write(response, to: &frame)
        case .ended(let result): result.write(to: &frame)
        }
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader, kind: FrameKind) throws(WireError) {
        switch kind {
        case .transferAnswered:
            self = .answered(
                try Self.response(&frame), address: try frame.text(most: Self.address), offset: try frame.size(),
                total: try frame.read(), validator: try frame.text(most: TransferLimit.headers))
        case .transferProgress: self = .progress(received: try frame.size(), sent: try frame.size())
        case .transferDurable: self = .durable(received: try frame.size())
        case .transferWhole: self = .whole(received: try frame.size())
        case .uploadCreated: self = .uploadCreated(location: try frame.text(most: TransferLimit.url))
        case .transferInformed: self = .informed(try Self.response(&frame))
        case .transferEnded: self = .ended(try TransferResult(partOf: &frame))
        default: throw .unknownKind(kind.rawValue)
        }
        try frame.end()
    }

    private func write(_ response: TransferResponse, to frame: inout FrameWriter) {
        frame.integer(response.status)
        frame.text(response.url, most: TransferLimit.url)
        frame.write(response.headers)
    }

    private static func response(_ frame: inout FrameReader) throws(WireError) -> TransferResponse {
        TransferResponse(
            status: try frame.read(), url: try frame.text(most: TransferLimit.url), headers: try frame.read())
    }

    /// Bytes of an address with its port.
    fileprivate static let address = 128
}

extension TransferResult {
    fileprivate func write(to frame: inout FrameWriter) {
        frame.write(kind, error?.rawValue ?? 0)
        frame.text(sentence, most: ServiceLimits.sentence)
        frame.write(challenge != nil)
        challenge?.write(to: &frame)
        frame.write(received, sent, retryAfter, isFileUseless, status)
        frame.text(address, most: TransferReport.address)
    }

    fileprivate init(partOf frame: inout FrameReader) throws(WireError) {
        let kind: Kind = try frame.read()
        let error = try frame.transferError()
        self.init(kind, error: error, sentence: try frame.text(most: ServiceLimits.sentence))
        if try frame.read() { challenge = try TransferChallenge(partOf: &frame) }
        received = try frame.size()
        sent = try frame.size()
        (retryAfter, isFileUseless, status) = try frame.read()
        retryAfter = retryAfter.map { min($0, TransferLimit.longestRetryAfter) }
        address = try frame.text(most: TransferReport.address)
    }
}
