import Linux
import Manifests
import TaskModel

/// The PEM files that a manifest names for its background transfers: which are not there, are none, or cannot be used, and keys
/// that others can read.
enum TransferFiles {
    /// A warning for each: they may come later.
    static func warnings(of application: ApplicationDefinition, places: ManifestPlaces) -> [Diagnostic] {
        let settings = application.transfers
        var files: [(key: String, path: String, kind: Kind)] = [
            ("certificate", settings.certificate, .certificate), ("key", settings.key, .key),
        ]
        files += settings.trust.enumerated().map { ("trust[\($0)].ca", $1.authorities, .certificate) }
        var warnings: [Diagnostic] = []
        for (key, path, kind) in files where !path.isEmpty {
            let whole = GrantVariables.expand(path, [("$MANIFEST", application.manifestFolder)])
            // The application's own folders are made when it runs.
            guard whole.hasPrefix("/"), let fault = fault(whole, kind) else { continue }
            let site = "$.transfers.\(key)"
            warnings.append(
                Diagnostic(
                    severity: .warning, file: application.manifestPath, position: places.position(of: site), path: site,
                    found: "\"\(path)\"\(fault.found)", expected: fault.expected, hint: fault.hint))
        }
        return warnings
    }

    private enum Kind { case certificate, key }

    private struct Fault {
        /// Further text about the file, after its path; empty: none.
        var found = ""
        var expected: String
        var hint: String
    }

    /// How many bytes of a file are read, which are all that a transfer accepts.
    private static let longest = 256 << 10

    private static func fault(_ path: String, _ kind: Kind) -> Fault? {
        guard let facts = try? FileSystem.followedFacts(of: path), !facts.isFolder else {
            return Fault(expected: "a PEM file that is there", hint: "without it every transfer that needs it fails")
        }
        if kind == .key, facts.mode & 0o007 != 0 {
            return Fault(expected: "a key that not everybody can read", hint: "run: chmod o-rwx \(path)")
        }
        // An application's user is hardly ever root.
        if ThisProcess.isRoot, facts.user == 0, facts.mode & 0o044 == 0 {
            return Fault(
                found: ", which root alone may read", expected: "a file that the application's user can read",
                hint: "give it to that user, who owns applications/APP in the state folder")
        }
        // No pipe is waited for.
        guard facts.isFile, let file = try? Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK]),
            let bytes = try? FileSystem.read(file, limit: longest, naming: path)
        else {
            return Fault(
                found: ", which cannot be read",
                expected: "a PEM file of at most \(longest >> 10) KiB that can be read",
                hint: "see its mode and its owner: the application's user reads it")
        }
        return fault(of: String(decoding: bytes, as: UTF8.self), kind)
    }

    /// The fault that the labels of RFC 7468 and RFC 1421 show.
    private static func fault(of text: String, _ kind: Kind) -> Fault? {
        switch kind {
        case .certificate:
            guard !text.contains("CERTIFICATE-----") else { return nil }
            return Fault(
                found: ", which has no certificate", expected: "a PEM file with \"-----BEGIN CERTIFICATE-----\"",
                hint: "of DER make PEM: openssl x509 -inform der -in FILE")
        case .key where !text.contains("PRIVATE KEY-----"):
            return Fault(
                found: ", which has no key", expected: "a PEM file with \"-----BEGIN PRIVATE KEY-----\"",
                hint: "of DER make PEM: openssl pkey -inform der -in FILE")
        case .key where text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED"):
            return Fault(
                found: ", which has a passphrase", expected: "a key without one, because no user can enter it",
                hint: "run: openssl pkey -in FILE -out OTHER, and keep that readable for the application's user alone")
        case .key: return nil
        }
    }
}
