import Control
import Linux
import TaskModel

/// A host in another process, asked over its control socket.
final class RemoteClient: HostClient, RecordClient {
    /// Bytes of a reply that are taken.
    private static let replyBytes = 256 << 20
    /// Until a reply is there; a host answers within a turn of its loop.
    private static let patience = TimeSpan.seconds(60)

    private let folder: String
    /// Keeps the path of the socket good.
    private let place: ControlSocketPlace
    /// Serves one request after the other.
    private var connection: HostConnection

    init(_ folder: String, _ place: consuming ControlSocketPlace) throws(SystemError) {
        connection = try HostConnection(place.path)
        self.folder = folder
        self.place = place
    }

    var leavesSignals: Bool { true }

    func send(_ request: ControlRequest) throws(Failure) -> ControlReply {
        var body: [UInt8] = []
        var isTooLong = false
        let connection = try usable()
        connection.ask(request)
        let deadline = Clock.moment().instant + Self.patience
        while true {
            let end = connection.advance { bytes, _ in
                isTooLong = body.count + bytes.count > Self.replyBytes
                if !isTooLong { body.append(contentsOf: bytes) }
                return !isTooLong
            }
            switch end {
            case .whole: return reply(connection, body)
            case .stopped:
                throw .ourBug(
                    "the host's reply is longer than \(Self.replyBytes) bytes; \(request.path); request less, such as with --limit"
                )
            case .lost(let words): throw lost(words)
            case nil:
                guard case .timeout = connection.wait([], deadline - Clock.moment().instant) else { continue }
                throw .unreachable(
                    "the host does not answer; \(folder); see whether it is stopped, or end it and start one with: "
                        + "taskhost serve")
            }
        }
    }

    func copyRecord(to file: BackupFile, progress: (Int64, Int64) -> Void) throws(Failure) -> Int64 {
        let part = try file.open()
        var size: Int64 = 0
        var lost: SystemError?
        let reply = try download(.copyRecord) { (bytes, all) in
            do throws(SystemError) {
                try FileSystem.write(Array(bytes), to: part, naming: file.part)
                size += Int64(bytes.count)
                progress(size, all)
                return true
            } catch {
                lost = error
                return false
            }
        }
        if let lost { try file.asFailure { () throws(SystemError) in throw lost } }
        guard reply.status < 400 else { throw HostProblem.failure(reply, Route.copyRecord.pattern.description) }
        return size
    }

    /// Asks for a long body and hands it over as it comes, with how long all of it is; a false of `body` ends it.
    ///
    /// - Returns: the reply, with the body of a problem alone.
    private func download(
        _ route: Route, _ body: (ArraySlice<UInt8>, Int64) -> Bool
    ) throws(Failure) -> ControlReply {
        var problem: [UInt8] = []
        let connection = try usable()
        connection.ask(ControlRequest(route.method, route.pattern.description))
        while true {
            let end = connection.advance { bytes, reply in
                if reply.status < 400 { return body(bytes, reply.length ?? 0) }
                if problem.count < 1 << 16 { problem.append(contentsOf: bytes) }
                return true
            }
            switch end {
            case .whole, .stopped: return reply(connection, problem)
            case .lost(let words): throw lost(words)
            case nil: _ = connection.wait([], nil)
            }
        }
    }

    func followOnce(
        _ choice: EventChoice, inputs: [Int32], pause: () -> TimeSpan?, _ body: (HostSignal) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let stream = try connect()
        var reader = EventReader()
        stream.ask(choice.request)
        var isOpen = false
        while true {
            let end = stream.advance { bytes, _ in
                reader.add(bytes)
                return !reader.isOverfull
            }
            if stream.reply.status >= 400, end != nil {
                throw HostProblem.failure(reply(stream, reader.rest), ControlServer.eventsPath)
            }
            // The first bytes come before any event.
            if !isOpen, stream.reply.status == 200, reader.hasBegun {
                isOpen = true
                guard try body(.opened) else { return true }
            }
            while let event = reader.next() {
                guard try body(.event(event)) else { return true }
            }
            switch end {
            case .lost(let words) where !isOpen: throw lost(words)
            case .whole, .stopped, .lost: return false
            case nil: break
            }
            switch stream.wait(inputs, isOpen ? pause() : nil) {
            case .connection: continue
            case .timeout: guard try body(.timeout) else { return true }
            case .inputs(let ready):
                for input in ready { guard try body(.input(input)) else { return true } }
            }
        }
    }

    private func usable() throws(Failure) -> HostConnection {
        if !connection.isUsable { connection = try connect() }
        return connection
    }

    private func connect() throws(Failure) -> HostConnection {
        do throws(SystemError) {
            return try HostConnection(place.path)
        } catch {
            throw error.code == .EAGAIN ? HostAccess.busy(folder) : HostAccess.notServed(folder)
        }
    }

    private func reply(_ connection: HostConnection, _ body: [UInt8]) -> ControlReply {
        ControlReply(status: connection.reply.status, contentType: connection.reply.contentType, body: body)
    }

    private func lost(_ words: String) -> Failure {
        .unreachable(
            "the host went away; \(folder): \(words); see its last messages, and start it again with: taskhost serve")
    }
}
