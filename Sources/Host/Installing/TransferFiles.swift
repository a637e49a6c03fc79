import Linux
import Manifests
import TaskModel

/// The PEM files that a manifest names for its background transfers: which are not there, and keys that others can read.
enum TransferFiles {
    /// A warning for each: they may come later.
    static func warnings(of application: ApplicationDefinition, places: ManifestPlaces) -> [Diagnostic] {
        let settings = application.transfers
        var files = [("certificate", settings.certificate), ("key", settings.key)]
        files += settings.trust.enumerated().map { ("trust[\($0)].ca", $1.authorities) }
        var warnings: [Diagnostic] = []
        for (key, path) in files where !path.isEmpty {
            let whole = GrantVariables.expand(path, [("$MANIFEST", application.manifestFolder)])
            // The application's own folders are made when it runs.
            guard whole.hasPrefix("/"), let (expected, hint) = fault(whole, isKey: key == "key") else { continue }
            let site = "$.transfers.\(key)"
            warnings.append(
                Diagnostic(
                    severity: .warning, file: application.manifestPath, position: places.position(of: site), path: site,
                    found: "\"\(path)\"", expected: expected, hint: hint))
        }
        return warnings
    }

    private static func fault(_ path: String, isKey: Bool) -> (expected: String, hint: String)? {
        guard let facts = try? FileSystem.followedFacts(of: path), !facts.isFolder else {
            return ("a PEM file that is there", "without it every transfer that needs it fails")
        }
        guard isKey, facts.mode & 0o007 != 0 else { return nil }
        return ("a key that not everybody can read", "run: chmod o-rwx \(path)")
    }
}
