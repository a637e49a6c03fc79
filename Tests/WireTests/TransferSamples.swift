import TaskModel
import Wire

/// Frames between the host and the transfer process.
enum TransferSamples {
    static let transfer = TransferHandle(index: 0x0102_0304, generation: 0xFFFF_FFFE)

    static let orders: [TransferOrder] = {
        let plain = TransferOrder(transfer: transfer, kind: .download, url: "http://example.com/", method: "GET")
        var full = TransferOrder(transfer: transfer, kind: .upload, url: "https://example.com/半", method: "PUT")
        full.headers = [HTTPHeader("X-A", "b"), HTTPHeader("", "")]
        full.offset = .max
        full.durable = 1 << 40
        full.validator = "\"tag\""
        full.total = 0
        full.upload = .tus
        full.uploadLocation = "https://example.com/u/1"
        full.sizeLimit = 0
        full.room = 4096
        full.rate = 1
        full.timeout = .zero
        full.priority = 1
        full.user = "ada"
        full.password = "secret"
        full.credentialsPlace = TransferOrder.place("example.com", port: 443, isSecure: true)
        full.isToken = true
        full.acceptsChallenge = true
        full.proxy = "http://ada:secret@proxy:3128"
        full.certificate = [1, 2]
        full.key = [3]
        full.authorities = Array(repeating: 4, count: TransferOrder.longestCertificate)
        full.pins = ["sha256/…", ""]
        full.grants = [
            NetworkGrant(.any, port: nil), NetworkGrant(.loopback, port: 80), NetworkGrant(.name("a.b"), port: .max),
            NetworkGrant(.network(NetworkAddress.Network(v4: 10, 0, 0, 0, length: 8)), port: nil),
        ]
        full.sha256 = Array(0..<32)
        full.isObserved = true
        return [plain, full]
    }()

    static let results: [TransferResult] = {
        var full = TransferResult(.challenged, error: .userAuthenticationRequired, sentence: "é")
        full.challenge = TransferChallenge(.digest, host: "example.com", port: 443, isSecure: true)
        full.challenge?.realm = "the web"
        full.received = 1
        full.sent = .max
        full.retryAfter = 0
        full.isFileUseless = true
        full.address = "[2001:db8::1]:443"
        full.status = 401
        return [TransferResult(.finished), TransferResult(.noSpace, error: .cannotWriteToFile), full]
    }()

    static let reports: [TransferReport] =
        [
            .answered(
                TransferResponse(status: 206, url: "https://example.com/", headers: [HTTPHeader("ETag", "\"a\"")]),
                address: "192.0.2.7:443", offset: 7, total: nil, validator: "\"a\""),
            .answered(
                TransferResponse(status: 0, url: "", headers: []), address: "", offset: 0, total: .max, validator: ""),
            .progress(received: 0, sent: .max), .durable(received: 1), .whole(received: 2),
            .uploadCreated(location: ""), .uploadCreated(location: "https://example.com/u/1"),
            .informed(
                TransferResponse(status: 104, url: "https://example.com/", headers: [HTTPHeader("Location", "/u/1")])),
        ] + results.map { .ended($0) }

    static let all: [Sample] =
        orders.enumerated().map { (number, value) in
            Sample("transfer order \(number)", value, value.frame() ?? []) { (reader) throws(WireError) in
                try TransferOrder(from: &reader, transfer: transfer)
            }
        }
        + reports.enumerated().map { (number, value) in
            Sample("transfer report \(number)", value, value.frame(transfer)) { (reader) throws(WireError) in
                try TransferReport(from: &reader, kind: value.kind)
            }
        }
        + [
            Sample("stop of a transfer", StopTransfer(transfer), StopTransfer(transfer).frame()) {
                (reader) throws(WireError) in try StopTransfer(from: &reader, transfer: transfer)
            },
            Sample(
                "rate of a transfer", TransferRate(transfer, rate: .max), TransferRate(transfer, rate: .max).frame()
            ) { (reader) throws(WireError) in try TransferRate(from: &reader, transfer: transfer) },
            Sample(
                "observation of a transfer", ObserveTransfer(transfer, true), ObserveTransfer(transfer, true).frame()
            ) { (reader) throws(WireError) in try ObserveTransfer(from: &reader, transfer: transfer) },
        ]
}
