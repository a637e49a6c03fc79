package import TaskModel

// Frames from the host to `taskhost-transfer`. The header has the transfer instead of a run.

extension FrameHeader {
    /// The transfer that a frame of the transfer process is about.
    package var transfer: TransferHandle { TransferHandle(index: run.index, generation: run.generation) }
}

extension FrameWriter {
    init(_ kind: FrameKind, transfer: TransferHandle) {
        self.init(kind, run: RunHandle(index: transfer.index, generation: transfer.generation))
    }
}

extension TransferOrder {
    /// Longest request method, such as `PROPFIND`.
    private static let method = 32
    /// Longest PEM file of keys or certificates.
    package static let longestCertificate = 64 << 10

    /// nil: a part of it is longer than allowed, or all of it is longer than a frame. The host does not send what the
    /// receiver would refuse, because that serves other transfers too.
    package func frame() -> [UInt8]? {
        var frame = FrameWriter(.transferOrder, transfer: transfer)
        frame.write(kind, url, method, headers, offset, durable, validator, total, upload, uploadLocation)
        frame.write(sizeLimit, room, rate, timeout, priority.bitPattern)
        frame.write(user, password, credentialsPlace, isToken, acceptsChallenge, proxy)
        frame.blob(certificate)
        frame.blob(key)
        frame.blob(authorities)
        frame.write(pins, grants)
        frame.blob(sha256)
        frame.write(isObserved)
        guard let bytes = frame.finished() else { return nil }
        let isSound = unsafe bytes.withUnsafeBytes { bytes in
            var reader = unsafe FrameReader(body: bytes)
            return (try? TransferOrder(from: &reader, transfer: transfer)) != nil
        }
        return isSound ? bytes : nil
    }

    package init(from frame: inout FrameReader, transfer: TransferHandle) throws(WireError) {
        let kind: TransferKind = try frame.read()
        let url = try frame.text(most: TransferLimit.url)
        self.init(transfer: transfer, kind: kind, url: url, method: try frame.text(most: Self.method))
        headers = try frame.read()
        offset = try frame.size()
        durable = try frame.size()
        validator = try frame.text(most: TransferLimit.headers)
        (total, upload) = try frame.read()
        uploadLocation = try frame.text(most: TransferLimit.url)
        sizeLimit = try frame.size()
        room = try frame.size()
        rate = try frame.size()
        timeout = try frame.read()
        priority = try frame.share()
        user = try frame.text(most: TransferLimit.headers)
        password = try frame.text(most: TransferLimit.headers)
        credentialsPlace = try frame.text(most: TransferLimit.url)
        (isToken, acceptsChallenge) = try frame.read()
        proxy = try frame.text(most: TransferLimit.url)
        certificate = try frame.certificate()
        key = try frame.certificate()
        authorities = try frame.certificate()
        (pins, grants) = try frame.read()
        guard pins.allSatisfy({ $0.utf8.count <= 128 }) else { throw .badValue }
        sha256 = try frame.digest()
        isObserved = try frame.read()
        try frame.end()
    }
}

/// The attempt is to end; the bytes in the file stay (`stopTransfer`).
package struct StopTransfer: Sendable, Equatable, BitwiseCopyable {
    package var transfer: TransferHandle

    package init(_ transfer: TransferHandle) { self.transfer = transfer }

    package func frame() -> [UInt8] { FrameWriter(.stopTransfer, transfer: transfer).finished() ?? [] }

    package init(from frame: inout FrameReader, transfer: TransferHandle) throws(WireError) {
        self.transfer = transfer
        try frame.end()
    }
}

/// How many bytes a second a transfer may move from now on (`transferRate`).
package struct TransferRate: Sendable, Equatable, BitwiseCopyable {
    package var transfer: TransferHandle
    /// 0: as fast as it goes.
    package var rate: Int64

    package init(_ transfer: TransferHandle, rate: Int64) {
        self.transfer = transfer
        self.rate = rate
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.transferRate, transfer: transfer)
        frame.integer(rate)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader, transfer: TransferHandle) throws(WireError) {
        self.init(transfer, rate: try frame.size())
        try frame.end()
    }
}

/// Whether progress of a transfer is requested from now on (`observeTransfer`).
package struct ObserveTransfer: Sendable, Equatable, BitwiseCopyable {
    package var transfer: TransferHandle
    package var isObserved: Bool

    package init(_ transfer: TransferHandle, _ isObserved: Bool) {
        self.transfer = transfer
        self.isObserved = isObserved
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.observeTransfer, transfer: transfer)
        frame.write(isObserved)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader, transfer: TransferHandle) throws(WireError) {
        self.init(transfer, try frame.read())
        try frame.end()
    }
}

extension NetworkGrant: FramePart {
    package func write(to frame: inout FrameWriter) {
        switch host {
        case .any: frame.write(UInt8(1))
        case .loopback: frame.write(UInt8(2))
        case .name(let name): frame.write(UInt8(3), name)
        case .network(let network):
            frame.write(UInt8(4), network.address.high, network.address.low, network.length)
        }
        // No server has port 0.
        frame.write(port ?? 0)
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let host: Host
        switch try frame.integer(UInt8.self) {
        case 1: host = .any
        case 2: host = .loopback
        case 3: host = .name(try frame.text(most: 255))
        case 4:
            let address = NetworkAddress(high: try frame.read(), low: try frame.read())
            let length: UInt8 = try frame.read()
            guard length <= 128 else { throw .badValue }
            host = .network(NetworkAddress.Network(address, length: length))
        default: throw .badValue
        }
        let port: UInt16 = try frame.read()
        self.init(host, port: port == 0 ? nil : port)
    }
}

extension FrameReader {
    fileprivate mutating func certificate() throws(WireError) -> [UInt8] {
        let bytes = try unsafe bytes()
        guard bytes.count <= TransferOrder.longestCertificate else { throw .badValue }
        return unsafe Array(bytes)
    }
}
