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
        frame.write(session, number, sequence, event)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (session, number, sequence, event) = try frame.read()
        try frame.end()
    }
}

extension TransferEvent: FramePart {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .progress(let received, let expectedReceive, let sent, let expectedSend):
            frame.write(UInt8(1), received, expectedReceive, sent, expectedSend)
        case .waitsForConnectivity: frame.write(UInt8(2))
        case .resumed(let offset, let total): frame.write(UInt8(3), offset, total)
        case .response(let response): frame.write(UInt8(4), response)
        case .delayed: frame.write(UInt8(5))
        case .challenge(let challenge): frame.write(UInt8(6), challenge)
        case .downloaded(let path): frame.write(UInt8(7), path)
        case .answered(let path): frame.write(UInt8(8), path)
        case .completed(let end): frame.write(UInt8(9), end)
        case .resumeData(let data):
            frame.write(UInt8(10))
            frame.blob(data)
        case .allTold: frame.write(UInt8(11))
        case .informational(let response): frame.write(UInt8(12), response)
        }
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        switch try frame.integer(UInt8.self) {
        case 1:
            self = .progress(
                received: try frame.read(), expectedReceive: try frame.read(), sent: try frame.read(),
                expectedSend: try frame.read())
        case 2: self = .waitsForConnectivity
        case 3: self = .resumed(offset: try frame.read(), total: try frame.read())
        case 4: self = .response(try frame.read())
        case 5: self = .delayed
        case 6: self = .challenge(try frame.read())
        case 7: self = .downloaded(path: try frame.read())
        case 8: self = .answered(path: try frame.read())
        case 9: self = .completed(try frame.read())
        case 10: self = .resumeData(try frame.blob())
        case 11: self = .allTold
        case 12: self = .informational(try frame.read())
        default: throw .badValue
        }
    }
}

extension TransferResponse: FramePart {
    package func write(to frame: inout FrameWriter) { frame.write(status, url, headers) }
    package init(partOf frame: inout FrameReader) throws(WireError) {
        self.init(status: try frame.read(), url: try frame.read(), headers: try frame.read())
    }
}

extension HTTPHeader: FramePart {
    package func write(to frame: inout FrameWriter) { frame.write(name, value) }
    package init(partOf frame: inout FrameReader) throws(WireError) { self.init(try frame.read(), try frame.read()) }
}

extension TransferChallenge: FramePart {
    package func write(to frame: inout FrameWriter) {
        frame.write(method, host, port, isSecure, isProxy)
        frame.text(realm, most: ServiceLimits.sentence)
        frame.integer(failures)
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let (method, host): (Method, String) = try frame.read()
        self.init(method, host: host, port: try frame.read(), isSecure: try frame.read())
        isProxy = try frame.read()
        realm = try frame.text(most: ServiceLimits.sentence)
        failures = try frame.read()
    }
}

extension TransferEnd: FramePart {
    package func write(to frame: inout FrameWriter) {
        frame.write(at.nanoseconds, order, error?.rawValue ?? 0, cancelReason?.rawValue ?? .max)
        frame.text(sentence, most: ServiceLimits.sentence)
        frame.write(status, url, headers, received, sent, expectedReceive, expectedSend, file)
        frame.blob(resumeData)
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let (time, order): (Int64, Int64) = try frame.read()
        self.init(at: Timestamp(nanoseconds: time), order: order, error: try frame.transferError())
        let reason: UInt8 = try frame.read()
        if reason != .max {
            guard let known = TransferCancelReason(rawValue: reason) else { throw .badValue }
            cancelReason = known
        }
        sentence = try frame.text(most: ServiceLimits.sentence)
        (status, url, headers, received, sent, expectedReceive, expectedSend, file) = try frame.read()
        resumeData = try frame.blob()
    }
}

extension TransferRequest: FramePart {
    package func write(to frame: inout FrameWriter) {
        frame.write(kind, url, method, headers, file)
        frame.text(text, most: TransferLimit.text)
        frame.date(earliest)
        frame.write(timeout?.nanoseconds, priority.bitPattern)
        frame.flags(allowsExpensive, allowsConstrained)
        frame.write(expectedSend, expectedReceive)
        frame.blob(sha256 ?? [])
        frame.blob(resumeData)
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let kind: TransferKind = try frame.read()
        let url = try frame.text(most: TransferLimit.url)
        self.init(kind: kind, url: url, method: try frame.text(most: 32))
        headers = try frame.read()
        file = try frame.text(most: TransferLimit.url)
        text = try frame.text(most: TransferLimit.text)
        earliest = try frame.date()
        timeout = (try frame.read() as Int64?).map { TimeSpan(nanoseconds: $0) }
        priority = try frame.share()
        let flags = try frame.flags(2)
        (allowsExpensive, allowsConstrained) = (flags[0], flags[1])
        (expectedSend, expectedReceive) = try frame.read()
        let digest = try frame.digest()
        sha256 = digest.isEmpty ? nil : digest
        resumeData = try frame.blob()
        guard resumeData.count <= TransferLimit.resumeData else { throw .badValue }
    }
}

extension FrameWriter {
    /// nil is the smallest number that there is.
    mutating func date(_ date: Timestamp?) { integer(date?.nanoseconds ?? .min) }
}

extension FrameReader {
    mutating func date() throws(WireError) -> Timestamp? {
        let number: Int64 = try integer()
        return number == .min ? nil : Timestamp(nanoseconds: number)
    }

    /// A number from 0 to 1.
    mutating func share() throws(WireError) -> Float {
        let number = Float(bitPattern: try integer())
        guard number >= 0, number <= 1 else { throw .badValue }
        return number
    }

    /// SHA-256, or nothing.
    mutating func digest() throws(WireError) -> [UInt8] {
        let digest = try blob()
        guard digest.isEmpty || digest.count == 32 else { throw .badValue }
        return digest
    }

    /// 0: none.
    package mutating func transferError() throws(WireError) -> TransferError? {
        let number: Int32 = try integer()
        guard number != 0 else { return nil }
        guard let error = TransferError(rawValue: number) else { throw .badValue }
        return error
    }
}
