import Host
import JSON
import Linux
import Manifests
import TaskModel

/// Client certificates of manifests and their keys, held together by what transfers use for it: OpenSSL.
enum ClientKeys {
    /// A warning for each application whose key does not fit its certificate, or one of them cannot be used. Those that cannot be
    /// read, or have faults that the manifest's reader tells, are left out. It parses files of the applications: not in a host.
    static func warnings(_ catalogue: Catalogue) -> [Diagnostic] {
        catalogue.applications.compactMap { application in
            let definition = application.definition
            let isTold = catalogue.diagnostics.contains {
                $0.file == definition.manifestPath
                    && ($0.path == "$.transfers.key" || $0.path == "$.transfers.certificate")
            }
            guard !isTold, let certificate = bytes(of: definition.transfers.certificate, definition),
                let key = bytes(of: definition.transfers.key, definition), let fault = fault(of: certificate, key)
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

    /// What OpenSSL says of them; nil: nothing, or it is not there, and transfers are not either.
    private static func fault(of certificate: [UInt8], _ key: [UInt8]) -> String? {
        guard let library = TLSLibrary(), let context = library.makeContext(library.method()) else { return nil }
        defer { library.freeContext(context) }
        let fits =
            certificate.withUnsafeBytes { bytes in
                guard let text = library.makeText(bytes.baseAddress, Int32(bytes.count)) else { return false }
                defer { _ = library.freeText(text) }
                guard let certificate = library.readCertificate(text, nil, nil, nil) else { return false }
                defer { library.freeCertificate(certificate) }
                return library.useCertificate(context, certificate) == 1
            }
            && key.withUnsafeBytes { bytes in
                guard let text = library.makeText(bytes.baseAddress, Int32(bytes.count)) else { return false }
                defer { _ = library.freeText(text) }
                // Without a callback the last one is the passphrase: it asks nobody.
                guard let key = "".withCString({ library.readKey(text, nil, nil, $0) }) else { return false }
                defer { library.freeKey(key) }
                return library.useKey(context, key) == 1 && library.checkKey(context) == 1
            }
        guard !fits else { return nil }
        return library.reason(library.error()).map { String(cString: $0) } ?? "it cannot be used"
    }
}
