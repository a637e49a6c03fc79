import Confining
import Learning
import Linux
import TaskModel

/// What confinement refused, each once, for the worker.
final class DenialReport: CallReport {
    /// So many are told of a run.
    private static let most = 64

    private let socket: Descriptor
    private let ports: [UInt16]
    private let abi: Int32
    private var told: Set<Denial> = []

    /// - Parameters:
    ///   - ports: granted ones, 0 for every port.
    ///   - abi: Landlock's version.
    init(to socket: consuming Descriptor, ports: [UInt16], abi: Int32) {
        self.socket = socket
        self.ports = ports
        self.abi = abi
    }

    func add(_ denial: Denial) {
        guard told.count < Self.most, told.insert(denial).inserted else { return }
        // The worker is behind, or gone: the program does not wait for it.
        _ = MessageSocket(lent: socket.number).send(denial.message, waits: false)
    }

    func add(_ kind: Observation.Kind, _ place: String, _ detail: String, by program: () -> String) {
        let access: Denial.Access
        var place = place
        switch kind {
        case .read, .list: access = .read
        case .write: access = .write
        case .create, .remove:
            access = .write
            place = (place == "/" ? "" : place) + "/" + detail
        case .execute: access = .execute
        case .socket: access = .sockets
        case .tcp:
            guard isRefused(place) else { return }
            access = .network
        case .attributes: access = .attributes
        case .udp, .listen, .call:
            access = .call
            if kind != .call { place = "\(kind) \(place)" }
        case .started, .powerless, .hidden, .unnamed, .truncated, .ended: return
        }
        add(Denial(access, place, .derived))
    }

    /// Landlock's rules refuse the port of `ADDRESS:PORT`.
    private func isRefused(_ place: String) -> Bool {
        guard LandlockRight.connect.isKnown(to: abi), !ports.contains(0),
            let port = place.split(separator: ":").last.flatMap({ UInt16($0) })
        else { return false }
        return !ports.contains(port)
    }
}

extension Denial {
    /// The access's number, then the place.
    var message: [UInt8] { [access.rawValue] + place.utf8.prefix(Denial.longestPlace) }

    /// nil: it is none.
    init?(message: some Collection<UInt8>) {
        guard let first = message.first, let access = Access(rawValue: first), message.count <= Self.longestPlace + 1,
            let place = String(validating: message.dropFirst(), as: UTF8.self)
        else { return nil }
        self.init(access, place, .derived)
    }
}
