import CCurl
import Control
import Linux
import TaskModel

/// A host in another process, asked over its control socket by libcurl.
final class RemoteClient: HostClient {
    /// Bytes of a reply that are taken.
    private static let replyBytes = 256 << 20
    /// Seconds until a reply is there; a host answers within a turn of its loop.
    private static let patience = 60

    private let folder: String
    /// Keeps the path of the socket good.
    private let place: ControlSocketPlace
    /// Serves one request after the other over one connection.
    private let transfer: CurlTransfer

    init(_ folder: String, _ place: consuming ControlSocketPlace) {
        self.folder = folder
        self.place = place
        transfer = CurlTransfer()
    }

    func send(_ request: ControlRequest) throws(Failure) -> ControlReply {
        transfer.prepare(request, socket: place.path)
        transfer.limit(seconds: Self.patience)
        var body: [UInt8] = []
        var isTooLong = false
        transfer.onBytes = { bytes in
            isTooLong = body.count + bytes.count > Self.replyBytes
            if !isTooLong { body.append(contentsOf: bytes) }
            return !isTooLong
        }
        let code = transfer.perform()
        guard !isTooLong else {
            throw Failure(
                ExitStatus.ourBug,
                "the host's reply is longer than \(Self.replyBytes) bytes; \(request.path); ask for less, such as with --limit"
            )
        }
        guard code == CURLE_OK else { throw failure(transfer, code) }
        return ControlReply(status: transfer.status, contentType: transfer.contentType, body: body)
    }

    func follow(
        _ query: [(name: String, value: String)], inputs: [Int32], pause: () -> TimeSpan?,
        _ body: (HostSignal) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let stream = CurlTransfer()
        var reader = EventReader()
        stream.prepare(ControlRequest(.get, ControlServer.eventsPath, query: query), socket: place.path)
        stream.onBytes = { bytes in
            reader.add(bytes)
            return !reader.isOverfull
        }
        let multi = CurlMulti(stream)
        var isOpen = false
        while true {
            let end = multi.perform()
            if stream.status >= 400, end != nil {
                throw HostProblem.failure(
                    ControlReply(status: stream.status, contentType: stream.contentType, body: reader.rest),
                    ControlServer.eventsPath)
            }
            // The first bytes come before any event.
            if !isOpen, stream.status == 200, reader.hasBegun {
                isOpen = true
                guard try body(.opened) else { return true }
            }
            while let event = reader.next() {
                guard try body(.event(event)) else { return true }
            }
            if let end {
                if isOpen { return false }
                throw failure(stream, end)
            }
            switch multi.wait(inputs, isOpen ? pause() : nil) {
            case .transfer: continue
            case .timeout: guard try body(.timeout) else { return true }
            case .inputs(let ready):
                for input in ready { guard try body(.input(input)) else { return true } }
            }
        }
    }

    private func failure(_ transfer: CurlTransfer, _ code: CURLcode) -> Failure {
        switch code {
        case CURLE_COULDNT_CONNECT: return HostAccess.notServed(folder)
        case CURLE_OPERATION_TIMEDOUT:
            return Failure(
                ExitStatus.unreachable,
                "the host does not answer; \(folder); see whether it is stopped, or end it and start one with: "
                    + "taskhost serve")
        default:
            return Failure(
                ExitStatus.unreachable,
                "the host went away; \(folder): \(transfer.text(of: code)); see what it said last, and start it again "
                    + "with: taskhost serve")
        }
    }
}
