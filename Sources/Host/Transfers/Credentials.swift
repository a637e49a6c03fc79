import Linux
import Setting
import TaskModel
import Wire

/// What transfers show servers, and whom they trust: from the manifest, from applications' answers and from renewals. It is kept
/// while the host lives. Thread: the loop's.
final class Credentials {
    /// Answers to challenges.
    private var secrets: [TransferHandle: TransferSecret] = [:]
    /// By application and origin.
    private var authorizations: [ApplicationIndex: [String: String]] = [:]
    private let installed: Installation
    private let parts: TransferParts
    let renewals: CredentialRenewals

    init(_ installed: Installation, _ parts: TransferParts, _ runs: RunTable, _ journal: TransferJournal) {
        self.installed = installed
        self.parts = parts
        renewals = CredentialRenewals(installed, runs, journal)
        renewals.known = { [unowned self] in authorizations[$0]?[$1] }
    }

    // MARK: Of one transfer

    func set(_ secret: TransferSecret, of transfer: TransferHandle) { secrets[transfer] = secret }

    func forget(_ transfer: TransferHandle) { secrets[transfer] = nil }

    /// Credentials that it goes with: those that its application answered with, or a renewed token for the server, which is
    /// returned.
    func authorize(_ order: inout TransferOrder, _ handle: TransferHandle, of application: ApplicationIndex) -> String?
    {
        if let secret = secrets[handle] {
            (order.user, order.password, order.credentialsPlace) = (secret.user, secret.password, secret.place)
            order.isToken = secret.isToken
            return nil
        }
        guard let value = authorizations[application]?[WebURL(order.url)?.origin ?? ""] else { return nil }
        order.headers.setAuthorization(value)
        return value
    }

    // MARK: Of applications

    /// A handler has renewed what its application shows a server, or the foreign function of a run has.
    func setAuthorization(_ frame: SetAuthorization, of run: RunHandle, by worker: WorkerRecord) {
        let origin =
            frame.origin.isEmpty
            ? renewals.origin(of: run, in: worker.application) : WebURL(frame.origin)?.origin ?? frame.origin
        if let origin { setAuthorization(frame.value, for: origin, of: worker.application) }
    }

    private func setAuthorization(_ value: String, for origin: String, of application: ApplicationIndex) {
        guard !HTTPHeader("Authorization", value).isBroken else { return }
        let known = authorizations[application]?.count ?? 0
        guard value.isEmpty || known < TransferLimit.sessions || authorizations[application]?[origin] != nil else {
            return
        }
        authorizations[application, default: [:]][origin] = value.isEmpty ? nil : value
    }

    // MARK: Trust

    /// Adds the manifest's certificates and pins to the order, for the host of its URL.
    func trust(_ order: inout TransferOrder, of application: ApplicationIndex) throws(TransferRefusal) {
        let definition = installed.applications[application].definition
        order.grants = definition.permissions.network
        guard let url = WebURL(order.url), url.scheme == "https" else { return }
        let settings = definition.transfers
        if let trust = settings.trust(for: url.host) {
            order.pins = trust.pins
            if !trust.authorities.isEmpty {
                order.authorities = try file(trust.authorities, of: application, as: "file of authorities")
            }
        }
        guard !settings.certificate.isEmpty else { return }
        order.certificate = try file(settings.certificate, of: application, as: "client certificate")
        order.key = try file(settings.key, of: application, as: "key")
    }

    private func file(
        _ path: String, of application: ApplicationIndex, as purpose: String
    ) throws(TransferRefusal) -> [UInt8] {
        let found = try parts.openReadable(path, of: application, as: purpose)
        do throws(SystemError) {
            return try FileSystem.read(found, limit: TransferOrder.longestCertificate, naming: path)
        } catch {
            throw TransferRefusal(
                .clientCertificateRejected,
                "the \(purpose) cannot be read (\(error)); \(path); see the manifest's transfers")
        }
    }
}

/// Credentials of one transfer.
struct TransferSecret {
    var user: String
    var password: String
    /// Where they apply, `host:port`.
    var place: String
    /// The password is a bearer token.
    var isToken: Bool
}
