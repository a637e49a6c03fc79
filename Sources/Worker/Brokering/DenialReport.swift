import Confining
import Learning
import Linux
import TaskModel

/// What confinement refused, each once.
final class DenialReport: CallReport {
    /// So many are told of a run.
    private static let most = 64

    private let tell: (Denial) -> Void
    private let ports: [UInt16]
    private let abi: Int32
    private var told: [Denial] = []

    /// - Parameters:
    ///   - ports: granted ones, 0 for every port.
    ///   - abi: Landlock's version.
    ///   - tell: receives each.
    init(ports: [UInt16], abi: Int32, _ tell: @escaping (Denial) -> Void) {
        self.tell = tell
        self.ports = ports
        self.abi = abi
    }

    func add(_ denial: Denial) {
        guard told.count < Self.most, !told.contains(where: denial.isSame) else { return }
        told.append(denial)
        tell(denial)
    }

    func add(_ kind: Observation.Kind, _ place: String, _ detail: String, by program: () -> String) {
        let access: Denial.Access
        var (place, purpose) = (place, "")
        switch kind {
        case .read, .list: access = .read
        case .write: access = .write
        case .create, .remove:
            access = .write
            purpose = "to \(kind) \(detail) in it"
        case .execute: access = .execute
        case .socket: access = .sockets
        case .tcp:
            guard isRefused(place) else { return }
            access = .network
        case .attributes: access = .attributes
        case .udp, .listen, .call:
            access = .call
            if kind != .call { place = "\(kind) \(place)" }
        case .powerless where detail == Observation.rawSockets:
            return add(Denial(.ping, Denial.echo, .derived, purpose: "for which \(place) has a capability"))
        case .powerless where !detail.isEmpty:
            return add(Denial(.call, "execute \(place), a file with capabilities", .derived))
        case .echo, .started, .powerless, .hidden, .unnamed, .truncated, .ended: return
        }
        add(Denial(access, place, .derived, purpose: purpose))
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
    /// The access's number, then the place and the purpose, with a zero between them.
    var message: [UInt8] {
        [access.rawValue] + place.utf8.prefix(Denial.longestPlace) + [0] + purpose.utf8.prefix(Self.longestPurpose)
    }

    /// nil: it is none.
    init?(message: some Collection<UInt8>) {
        let parts = message.dropFirst().split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = message.first, let access = Access(rawValue: first), parts.count == 2,
            let place = String(validating: parts[0], as: UTF8.self),
            let purpose = String(validating: parts[1], as: UTF8.self)
        else { return nil }
        self.init(access, place, .derived, purpose: purpose)
    }
}
