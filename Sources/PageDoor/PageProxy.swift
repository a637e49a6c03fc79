package import Control
import JSON
package import Linux
package import TaskModel

/// Brings a browser to the daemon: a server on the loopback addresses in the user's own process, which lets in what `PageGuard`
/// lets in, and passes it on to the control socket. To the daemon it is the user who asks.
///
/// *Thread*: the loop's.
package final class PageProxy: ControlHandler {
    /// A browser has six connections. Others of the machine's users can connect as well: more wait, and idle ones make room.
    package static let limits = {
        var limits = ServerLimits()
        limits.connections = 256
        return limits
    }()
    /// How often another port is tried, when the one that the kernel chose is taken on the other loopback address.
    private static let tries = 8
    private static let loopback = (NetworkAddress("127.0.0.1"), NetworkAddress("::1"))

    /// Fields of every reply: the page loads and runs what comes from here alone, no other page embeds it, and nothing is
    /// kept.
    private static let fields: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    private let listeners: [ControlSocket]
    private let limits: ServerLimits
    /// nil: any.
    private let users: Set<UInt32>?
    private let forwarder: Forwarder
    /// nil: it shows and writes no manifests.
    private let manifests: ManifestDoor?
    private var admission: PageGuard

    package var port: UInt16 { admission.port }
    package var isReadOnly: Bool { admission.isReadOnly }
    /// Somebody guesses keys: it has to end.
    package var isBesieged: Bool { admission.keys.isBesieged }

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - port: nil: any that is free.
    ///   - isReadOnly: nothing can be changed through it.
    ///   - users: whose programs may connect, beside root's; nil: any user's.
    ///   - manifests: reads and writes manifests for the page; nil: nobody does.
    package init(
        _ daemon: DaemonPlace, port: UInt16?, isReadOnly: Bool, users: Set<UInt32>?,
        manifests: (any PageManifests)? = nil, limits: ServerLimits = PageProxy.limits
    ) throws(SystemError) {
        self.limits = Self.limits(limits, for: manifests)
        self.users = users.map { $0.union([0]) }
        listeners = try Self.listen(port: port)
        let forwarder = Forwarder(daemon)
        self.forwarder = forwarder
        self.manifests = manifests.map { ManifestDoor($0, forwarder, isReadOnly: isReadOnly) }
        admission = PageGuard(
            port: listeners[0].port ?? 0, isReadOnly: isReadOnly,
            keys: PageKeys(
                name: RandomBytes.make(PageKeys.nameBytes), secret: RandomBytes.make(PageKeys.secretBytes)))
    }

    /// With room for a manifest.
    private static func limits(_ limits: ServerLimits, for manifests: (any PageManifests)?) -> ServerLimits {
        guard let manifests else { return limits }
        var limits = limits
        limits.bodyBytes = max(limits.bodyBytes, ManifestDoor.bodyBytes(for: manifests))
        limits.discardedBytes = max(limits.discardedBytes, 2 * limits.bodyBytes)
        return limits
    }

    /// On 127.0.0.1, and on ::1 where the machine has it and the port is free there.
    private static func listen(port: UInt16?) throws(SystemError) -> [ControlSocket] {
        guard let four = loopback.0, let six = loopback.1 else { preconditionFailure("both are addresses") }
        var last: ControlSocket?
        for _ in 0..<(port == nil ? tries : 1) {
            let first = try ControlSocket.listen(at: SocketAddress(four, port: port ?? 0))
            last?.close()
            last = first
            do throws(SystemError) {
                let chosen = SocketAddress(six, port: first.port ?? 0)
                return [first, try ControlSocket.listen(at: chosen)]
            } catch {
                // Without IPv6 no other port would be better.
                guard error.code == .EADDRINUSE else { return [first] }
            }
        }
        return last.map { [$0] } ?? []
    }

    /// What its loop serves. The server does not retain the proxy.
    package func sources() -> [any EventSource] {
        let server = ControlServer(
            listeners: listeners, handler: self, limits: limits,
            judge: { [unowned self] (head) throws(Problem) in try admission.admit(head) }, fields: Self.fields,
            hasEvents: false, identify: { Self.peer(of: $0) },
            access: { [users] user, _ in users.map { $0.contains(user) } ?? true ? .all : .none },
            stranger: .stranger(admission.place))
        // What the server passes on has to be under way before the forwarder ends.
        return [forwarder, server]
    }

    /// Whose connection it is. Where the kernel does not tell, it passes for this process's own: the link is the key then.
    private static func peer(of socket: borrowing Descriptor) -> SocketPeer? {
        switch LoopbackPeer(of: socket) {
        case .user(let user): SocketPeer(pid: 0, user: user, group: .max)
        case .unknown: SocketPeer(pid: 0, user: ThisProcess.user, group: .max)
        case .gone: nil
        }
    }

    /// A new link, good once and for a minute.
    package func makeLink(at now: Instant) -> String {
        let token = admission.keys.makeToken(from: RandomBytes.make(PageKeys.secretBytes), at: now)
        return "http://\(admission.place)/#token=\(token)"
    }

    // MARK: ControlHandler

    package func handle(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        let place = PagePlace(request.path)
        switch place {
        case .api where request.body.count > PageGuard.apiBytes:
            answer(.problem(.bodyTooLarge(limit: PageGuard.apiBytes)))
        case .api: forwarder.forward(request, answer: answer)
        case .file(let path):
            var file = ControlRequest(.get, path)
            file.accept = request.accept
            forwarder.forward(file, answer: answer)
        case .session:
            do throws(Problem) {
                answer(.json(try session(request.body)))
            } catch {
                answer(.problem(error))
            }
        case .manifest, .manifestCheck, .manifestProposal:
            guard let manifests else { return answer(.problem(.noSuchPath(request.path))) }
            manifests.handle(place, request, answer: answer)
        case .nothing: answer(.problem(.noSuchPath(request.path)))
        }
    }

    private func session(_ body: [UInt8]) throws(Problem) -> JSONOutput {
        guard let document = try? JSONParser.parse(body, maximumBytes: PageGuard.sessionBytes),
            let token = document["token"]?.string
        else { throw .badSession("no token") }
        switch admission.keys.exchange(token, at: Clock.moment().instant) {
        case .key(let key): return ["key": .string(key), "readOnly": .bool(isReadOnly)]
        case .spent, .wrong: throw .refusedLink(admission.place)
        }
    }

    package func openStream(_ request: ControlRequest, to stream: any ControlStream) -> ControlReply? {
        .problem(.noSuchPath(request.path))
    }

    package func methods(of path: String) -> [ControlRequest.Method] {
        switch PagePlace(path) {
        case .file: [.get]
        case .session, .manifestCheck, .manifestProposal: [.post]
        case .manifest: [.get, .post]
        case .api: ControlRequest.Method.allCases
        case .nothing: []
        }
    }
}
