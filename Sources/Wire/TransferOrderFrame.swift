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
        frame.integer(kind.rawValue)
        frame.text(url)
        frame.text(method)
        frame.headers(headers)
        frame.integer(offset)
        frame.text(validator)
        frame.integer(total ?? -1)
        frame.integer(upload.rawValue)
        frame.text(uploadLocation)
        frame.integer(sizeLimit)
        frame.integer(room)
        frame.integer(rate)
        frame.integer(timeout.nanoseconds)
        frame.integer(priority.bitPattern)
        frame.text(user)
        frame.text(password)
        frame.text(credentialsPlace)
        frame.flag(isToken)
        frame.flag(acceptsChallenge)
        frame.text(proxy)
        frame.blob(certificate)
        frame.blob(key)
        frame.blob(authorities)
        frame.list(pins) { $0.text($1) }
        frame.list(grants) { $1.write(to: &$0) }
        frame.blob(sha256)
        frame.flag(isObserved)
        guard let bytes = frame.finished() else { return nil }
        let isSound = unsafe bytes.withUnsafeBytes { bytes in
            var reader = unsafe FrameReader(body: bytes)
            return (try? TransferOrder(from: &reader, transfer: transfer)) != nil
        }
        return isSound ? bytes : nil
    }

    package init(from frame: inout FrameReader, transfer: TransferHandle) throws(WireError) {
        guard let kind = TransferKind(rawValue: try frame.integer()) else { throw .badValue }
        let url = try frame.text(most: TransferLimit.url)
        self.init(transfer: transfer, kind: kind, url: url, method: try frame.text(most: Self.method))
        headers = try frame.headers()
        offset = try frame.size()
        validator = try frame.text(most: TransferLimit.headers)
        total = try frame.count()
        guard let upload = Upload(rawValue: try frame.integer()) else { throw .badValue }
        self.upload = upload
        uploadLocation = try frame.text(most: TransferLimit.url)
        sizeLimit = try frame.size()
        room = try frame.size()
        rate = try frame.size()
        timeout = try frame.span()
        priority = try frame.share()
        user = try frame.text(most: TransferLimit.headers)
        password = try frame.text(most: TransferLimit.headers)
        credentialsPlace = try frame.text(most: TransferLimit.url)
        isToken = try frame.flag()
        acceptsChallenge = try frame.flag()
        proxy = try frame.text(most: TransferLimit.url)
        certificate = try frame.certificate()
        key = try frame.certificate()
        authorities = try frame.certificate()
        pins = try frame.list { (frame: inout FrameReader) throws(WireError) in try frame.text(most: 128) }
        grants = try frame.list { (frame: inout FrameReader) throws(WireError) in try NetworkGrant(from: &frame) }
        sha256 = try frame.blob()
        guard sha256.isEmpty || sha256.count == 32 else { throw .badValue }
        isObserved = try frame.flag()
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
        frame.flag(isObserved)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader, transfer: TransferHandle) throws(WireError) {
        self.init(transfer, try frame.flag())
        try frame.end()
    }
}

extension NetworkGrant {
    fileprivate func write(to frame: inout FrameWriter) {
        switch host {
        case .any: frame.integer(UInt8(1))
        case .loopback: frame.integer(UInt8(2))
        case .name(let name):
            frame.integer(UInt8(3))
            frame.text(name)
        case .network(let network):
            frame.integer(UInt8(4))
            frame.integer(network.address.high)
            frame.integer(network.address.low)
            frame.integer(network.length)
        }
        // No server has port 0.
        frame.integer(port ?? 0)
    }

    fileprivate init(from frame: inout FrameReader) throws(WireError) {
        let host: Host
        switch try frame.integer(UInt8.self) {
        case 1: host = .any
        case 2: host = .loopback
        case 3: host = .name(try frame.text(most: 255))
        case 4:
            let address = NetworkAddress(high: try frame.integer(), low: try frame.integer())
            let length: UInt8 = try frame.integer()
            guard length <= 128 else { throw .badValue }
            host = .network(NetworkAddress.Network(address, length: length))
        default: throw .badValue
        }
        let port: UInt16 = try frame.integer()
        self.init(host, port: port == 0 ? nil : port)
    }
}

extension FrameReader {
    /// A number of at least 0.
    mutating func size() throws(WireError) -> Int64 {
        guard let number = try count() else { throw .badValue }
        return number
    }

    fileprivate mutating func certificate() throws(WireError) -> [UInt8] {
        let bytes = try unsafe bytes()
        guard bytes.count <= TransferOrder.longestCertificate else { throw .badValue }
        return unsafe Array(bytes)
    }
}
