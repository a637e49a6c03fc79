import Control
import Linux
import Setting
import TaskModel

/// What metrics are asked for over TCP: answers `GET /metrics`, and nothing else.
final class MetricsDoor: ControlHandler {
    private static let path = "/metrics"
    /// Connections at once. Idle ones make room for others.
    private static let mostConnections = 16
    private static let tokenBytes = 4 << 10

    private let answers: any ControlHandler
    /// With the port that the kernel chose, if the configuration leaves it open.
    let place: SocketAddress
    private let listener: ControlSocket
    private let token: BearerToken?

    /// - Parameter answers: the host's API.
    init(_ settings: MetricsSettings, _ answers: any ControlHandler) throws(HostError) {
        self.answers = answers
        if let path = settings.token { token = try Self.token(path) } else { token = nil }
        do throws(SystemError) {
            listener = try ControlSocket.listen(at: settings.listen)
        } catch {
            throw .metricsPlace(settings.listen, error)
        }
        place = SocketAddress(settings.listen.address, port: listener.port ?? settings.listen.port)
    }

    /// Who asks is a reader: the kernel tells nothing else of him. The server does not retain the door, and its clients wait until it
    /// listens.
    func makeServer() -> ControlServer {
        var limits = ServerLimits()
        limits.readerConnections = Self.mostConnections
        limits.bodyBytes = 0
        return ControlServer(
            listeners: [listener], handler: self, limits: limits, token: token, acceptsAtOnce: false
        ) { _, _ in .read }
    }

    /// The file's first line. Its owner is root or the host's user, and nobody else may read it.
    private static func token(_ path: String) throws(HostError) -> BearerToken {
        let bytes = try contents(path)
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let token = BearerToken(Array(line)) else {
            let (least, most) = (BearerToken.lengths.lowerBound, BearerToken.lengths.upperBound)
            throw .metricsToken(
                path, "its first line is no token; write \(least) to \(most) visible ASCII characters without spaces")
        }
        return token
    }

    private static func contents(_ path: String) throws(HostError) -> [UInt8] {
        let place = FilePlace(path)
        let file: Descriptor
        do throws(TrustFault) {
            file = try TrustedFile.open(place.name, in: place.folder)
        } catch {
            throw .metricsToken(path, error.sentence)
        }
        let (isOpen, bytes): (Bool, [UInt8])
        do throws(SystemError) {
            isOpen = try FileSystem.facts(of: file).isReadableByOthers
            bytes = try FileSystem.read(file, limit: tokenBytes, naming: path)
        } catch {
            throw .metricsToken(path, "\(error); correct that")
        }
        guard !isOpen else { throw .metricsToken(path, "others can read it; take the right away: chmod o-r") }
        return bytes
    }

    // MARK: ControlHandler

    func handle(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        guard request.path == Self.path else { return answer(.problem(.noSuchPath(request.path))) }
        answers.handle(request, answer: answer)
    }

    func openStream(_ request: ControlRequest, to stream: any ControlStream) -> ControlReply? {
        .problem(.noSuchPath(request.path))
    }

    func methods(of path: String) -> [ControlRequest.Method] { path == Self.path ? [.get] : [] }

    func letsReaders(_ method: ControlRequest.Method, _ path: String) -> Bool { true }
}
