package import TaskModel

/// An event of a transfer, or of its session, for an application (`transferEvent`).
package struct TransferEventFrame: Sendable, Equatable {
    package var session: UInt32
    /// `taskIdentifier`; 0: it is the session's own.
    package var number: UInt32
    /// To be acknowledged by this, when it has been handled; 0: not at all. Grows by one with each of a session's.
    package var sequence: UInt64
    package var event: TransferEvent

    package init(session: UInt32, number: UInt32, sequence: UInt64, _ event: TransferEvent) {
        self.session = session
        self.number = number
        self.sequence = sequence
        self.event = event
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.transferEvent)
        frame.integer(session)
        frame.integer(number)
        frame.integer(sequence)
        event.write(to: &frame)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        session = try frame.integer()
        number = try frame.integer()
        sequence = try frame.integer()
        event = try TransferEvent(from: &frame)
        try frame.end()
    }
}

extension TransferEvent {
    fileprivate func write(to frame: inout FrameWriter) {
        switch self {
        case .progress(let received, let expectedReceive, let sent, let expectedSend):
            frame.integer(UInt8(1))
            for number in [received, expectedReceive ?? -1, sent, expectedSend ?? -1] { frame.integer(number) }
        case .waitsForConnectivity: frame.integer(UInt8(2))
        case .resumed(let offset, let total):
            frame.integer(UInt8(3))
            frame.integer(offset)
            frame.integer(total ?? -1)
        case .response(let response):
            frame.integer(UInt8(4))
            frame.integer(response.status)
            frame.text(response.url)
            frame.headers(response.headers)
        case .delayed: frame.integer(UInt8(5))
        case .challenge(let challenge):
            frame.integer(UInt8(6))
            challenge.write(to: &frame)
        case .downloaded(let path):
            frame.integer(UInt8(7))
            frame.text(path)
        case .answered(let path):
            frame.integer(UInt8(8))
            frame.text(path)
        case .completed(let end):
            frame.integer(UInt8(9))
            end.write(to: &frame)
        case .resumeData(let data):
            frame.integer(UInt8(10))
            frame.blob(data)
        case .allTold: frame.integer(UInt8(11))
        }
    }

    fileprivate init(from frame: inout FrameReader) throws(WireError) {
        switch try frame.integer(UInt8.self) {
        case 1:
            self = .progress(
                received: try frame.integer(), expectedReceive: try frame.count(), sent: try frame.integer(),
                expectedSend: try frame.count())
        case 2: self = .waitsForConnectivity
        case 3: self = .resumed(offset: try frame.integer(), total: try frame.count())
        case 4:
            self = .response(
                TransferResponse(
                    status: try frame.integer(), url: try frame.text(), headers: try frame.headers()))
        case 5: self = .delayed
        case 6: self = .challenge(try TransferChallenge(from: &frame))
        case 7: self = .downloaded(path: try frame.text())
        case 8: self = .answered(path: try frame.text())
        case 9: self = .completed(try TransferEnd(from: &frame))
        case 10: self = .resumeData(try frame.blob())
        case 11: self = .allTold
        default: throw .badValue
        }
    }
}

extension TransferChallenge {
    package func write(to frame: inout FrameWriter) {
        frame.integer(method.rawValue)
        frame.text(host)
        frame.integer(port)
        frame.flag(isSecure)
        frame.flag(isProxy)
        frame.text(realm, most: ServiceLimits.sentence)
        frame.integer(failures)
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        guard let method = Method(rawValue: try frame.integer()) else { throw .badValue }
        let host = try frame.text()
        let port: UInt16 = try frame.integer()
        self.init(method, host: host, port: port, isSecure: try frame.flag())
        isProxy = try frame.flag()
        realm = try frame.text(most: ServiceLimits.sentence)
        failures = try frame.integer()
    }
}

extension TransferEnd {
    fileprivate func write(to frame: inout FrameWriter) {
        frame.integer(at.nanoseconds)
        frame.integer(order)
        frame.integer(error?.rawValue ?? 0)
        frame.integer(cancelReason?.rawValue ?? .max)
        frame.text(sentence, most: ServiceLimits.sentence)
        frame.integer(status)
        frame.text(url)
        frame.headers(headers)
        frame.integer(received)
        frame.integer(sent)
        frame.integer(expectedReceive ?? -1)
        frame.integer(expectedSend ?? -1)
        frame.text(file)
        frame.blob(resumeData)
    }

    fileprivate init(from frame: inout FrameReader) throws(WireError) {
        let at = Timestamp(nanoseconds: try frame.integer())
        let order: Int64 = try frame.integer()
        self.init(at: at, order: order, error: try frame.transferError())
        let reason: UInt8 = try frame.integer()
        if reason != .max {
            guard let known = TransferCancelReason(rawValue: reason) else { throw .badValue }
            cancelReason = known
        }
        sentence = try frame.text(most: ServiceLimits.sentence)
        status = try frame.integer()
        url = try frame.text()
        headers = try frame.headers()
        received = try frame.integer()
        sent = try frame.integer()
        expectedReceive = try frame.count()
        expectedSend = try frame.count()
        file = try frame.text()
        resumeData = try frame.blob()
    }
}

extension TransferRequest {
    package func write(to frame: inout FrameWriter) {
        frame.integer(kind.rawValue)
        frame.text(url)
        frame.text(method)
        frame.headers(headers)
        frame.text(file)
        frame.text(text, most: TransferLimit.text)
        frame.date(earliest)
        frame.integer(timeout?.nanoseconds ?? -1)
        frame.integer(priority.bitPattern)
        var flags: UInt8 = 0
        if allowsExpensive { flags |= 1 }
        if allowsConstrained { flags |= 2 }
        frame.integer(flags)
        frame.integer(expectedSend ?? -1)
        frame.integer(expectedReceive ?? -1)
        frame.blob(sha256 ?? [])
        frame.blob(resumeData)
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        guard let kind = TransferKind(rawValue: try frame.integer()) else { throw .badValue }
        let url = try frame.text(most: TransferLimit.url)
        self.init(kind: kind, url: url, method: try frame.text(most: 32))
        headers = try frame.headers()
        file = try frame.text(most: TransferLimit.url)
        text = try frame.text(most: TransferLimit.text)
        earliest = try frame.date()
        timeout = try frame.count().map { TimeSpan(nanoseconds: $0) }
        priority = try frame.share()
        let flags: UInt8 = try frame.integer()
        guard flags < 4 else { throw .badValue }
        allowsExpensive = flags & 1 != 0
        allowsConstrained = flags & 2 != 0
        expectedSend = try frame.count()
        expectedReceive = try frame.count()
        let digest = try frame.blob()
        guard digest.isEmpty || digest.count == 32 else { throw .badValue }
        sha256 = digest.isEmpty ? nil : digest
        resumeData = try frame.blob()
        guard resumeData.count <= TransferLimit.resumeData else { throw .badValue }
    }
}

extension FrameWriter {
    /// nil is the smallest number that there is.
    mutating func date(_ date: Timestamp?) { integer(date?.nanoseconds ?? .min) }

    package mutating func headers(_ headers: [HTTPHeader]) {
        list(headers) { frame, header in
            frame.text(header.name)
            frame.text(header.value)
        }
    }
}

extension FrameReader {
    /// A number of at least 0; a negative one means none.
    package mutating func count() throws(WireError) -> Int64? {
        let number: Int64 = try integer()
        return number < 0 ? nil : number
    }

    mutating func date() throws(WireError) -> Timestamp? {
        let number: Int64 = try integer()
        return number == .min ? nil : Timestamp(nanoseconds: number)
    }

    mutating func span() throws(WireError) -> TimeSpan {
        guard let nanoseconds = try count() else { throw .badValue }
        return TimeSpan(nanoseconds: nanoseconds)
    }

    /// A number from 0 to 1.
    mutating func share() throws(WireError) -> Float {
        let number = Float(bitPattern: try integer())
        guard number >= 0, number <= 1 else { throw .badValue }
        return number
    }

    /// 0: none.
    package mutating func transferError() throws(WireError) -> TransferError? {
        let number: Int32 = try integer()
        guard number != 0 else { return nil }
        guard let error = TransferError(rawValue: number) else { throw .badValue }
        return error
    }

    package mutating func headers() throws(WireError) -> [HTTPHeader] {
        try list { (frame: inout FrameReader) throws(WireError) in
            HTTPHeader(try frame.text(), try frame.text())
        }
    }
}
