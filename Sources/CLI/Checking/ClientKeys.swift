import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// Client certificates of manifests and their keys, compared with OpenSSL, the library that transfers use for them.
enum ClientKeys {
    /// A warning for each application whose key does not match its certificate, or one of them cannot be used. Those that
    /// cannot be read, or have faults that the manifest's reader reports, are skipped. It parses files of the applications:
    /// not in a host.
    static func warnings(_ catalogue: Catalogue) -> [Diagnostic] {
        catalogue.applications.compactMap { application in
            let definition = application.definition
            let isTold = catalogue.diagnostics.contains {
                $0.file == definition.manifestPath
                    && ($0.path == "$.transfers.key" || $0.path == "$.transfers.certificate")
            }
            guard !isTold, let certificate = bytes(of: definition.transfers.certificate, definition),
                let key = bytes(of: definition.transfers.key, definition),
                let fault = KeyPair.fault(certificate: certificate, key: key)
            else { return nil }
            return Diagnostic(
                severity: .warning, file: definition.manifestPath, position: .start, path: "$.transfers.key",
                found: "\"\(definition.transfers.key)\" (\(fault))",
                expected: "the key of the certificate \(definition.transfers.certificate)",
                hint: "both say the same for the right one: openssl x509 -in CERTIFICATE -pubkey -noout; "
                    + "openssl pkey -in KEY -pubout")
        }
    }

    private static func bytes(of path: String, _ definition: ApplicationDefinition) -> [UInt8]? {
        let name = "$MANIFEST"
        let whole = path.hasPrefix(name + "/") ? definition.manifestFolder + path.dropFirst(name.count) : path
        guard whole.hasPrefix("/"), let file = try? Descriptor.open(whole, [.O_RDONLY, .O_NONBLOCK]) else { return nil }
        return try? FileSystem.read(file, limit: 256 << 10, naming: whole)
    }
}
