import Linux
import TaskModel
import Wire

// The certificates and the trust of transfers, from the manifest.
extension TransferHub {
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
        let found = try openReadable(path, of: application, as: purpose)
        do throws(SystemError) {
            return try FileSystem.read(found, limit: TransferOrder.longestCertificate, naming: path)
        } catch {
            throw TransferRefusal(
                .clientCertificateRejected,
                "the \(purpose) cannot be read (\(error)); \(path); see the manifest's transfers")
        }
    }
}
