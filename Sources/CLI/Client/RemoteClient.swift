import CCurl
import Control
import Glibc
import Linux
import TaskModel

/// A host in another process, asked over its control socket by libcurl.
final class RemoteClient: HostClient {
    /// Bytes of a reply that are taken.
    private static let replyBytes = 256 << 20
    /// How often a place in the host's queue is waited for: another client may be quicker each time.
    private static let tries = 20
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
        var code = transfer.perform()
        for _ in 0..<Self.tries where transfer.wasUnconnected {
            try waitForPlace()
            transfer.prepare(request, socket: place.path)
            transfer.limit(seconds: Self.patience)
            code = transfer.perform()
        }
        guard !isTooLong else {
            throw Failure(
                ExitStatus.ourBug,
                "the host's reply is longer than \(Self.replyBytes) bytes; \(request.path); ask for less, such as with --limit"
            )
        }
        guard code == CURLE_OK else { throw failure(transfer, code) }
        return ControlReply(status: transfer.status, contentType: transfer.contentType, body: body)
    }

    func download(_ route: Route, _ body: (UnsafeRawBufferPointer, Int64) -> Bool) throws(Failure) -> ControlReply {
        let request = ControlRequest(route.method, route.pattern.description)
        return try withoutActuallyEscaping(body) { (body) throws(Failure) in
            var problem: [UInt8] = []
            var isStopped = false
            var code = CURLE_OK
            for attempt in 0...Self.tries {
                if attempt > 0 { try waitForPlace() }
                transfer.prepare(request, socket: place.path)
                transfer.onBytes = { [transfer] bytes in
                    if transfer.status < 400 {
                        isStopped = !body(bytes, transfer.length)
                        return !isStopped
                    }
                    if problem.count < 1 << 16 { problem.append(contentsOf: bytes) }
                    return true
                }
                code = transfer.perform()
                if !transfer.wasUnconnected { break }
            }
            transfer.onBytes = { _ in true }
            guard code == CURLE_OK || isStopped else { throw failure(transfer, code) }
            return ControlReply(status: transfer.status, contentType: transfer.contentType, body: problem)
        }
    }

    func follow(
        _ query: [(name: String, value: String)], inputs: [Int32], pause: () -> TimeSpan?,
        _ body: (HostSignal) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        var left = Self.tries
        while true {
            let stream = CurlTransfer()
            if let isEnd = try follow(query, on: stream, inputs: inputs, pause: pause, body) { return isEnd }
            guard left > 0 else { throw HostAccess.busy(folder) }
            left -= 1
            try waitForPlace()
        }
    }

    /// nil: there was no place in the host's queue.
    private func follow(
        _ query: [(name: String, value: String)], on stream: CurlTransfer, inputs: [Int32], pause: () -> TimeSpan?,
        _ body: (HostSignal) throws(Failure) -> Bool
    ) throws(Failure) -> Bool? {
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
                if stream.wasUnconnected { return nil }
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

    private func waitForPlace() throws(Failure) {
        do throws(SystemError) {
            try HostAccess.waitForPlace(place.path)
        } catch {
            throw error.code == EAGAIN ? HostAccess.busy(folder) : HostAccess.notServed(folder)
        }
    }

    private func failure(_ transfer: CurlTransfer, _ code: CURLcode) -> Failure {
        switch code {
        case _ where transfer.wasUnconnected: return HostAccess.busy(folder)
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
