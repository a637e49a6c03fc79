import Linux
import Manifests
import TaskModel

/// Grants that are symbolic links: they grant their target.
enum LinkedGrants {
    /// A warning for each.
    static func warnings(of application: ApplicationDefinition, places: ManifestPlaces) -> [Diagnostic] {
        let permissions = application.permissions
        guard !permissions.read.isEmpty || !permissions.write.isEmpty else { return [] }
        let resolver = GrantResolver()
        var warnings: [Diagnostic] = []
        for (key, paths) in [("read", permissions.read), ("write", permissions.write)] {
            for (index, path) in paths.enumerated() {
                let whole = GrantVariables.expand(path, [("$MANIFEST", application.manifestFolder)])
                guard whole.hasPrefix("/"), case .link(let place) = resolver.finding(at: whole) else { continue }
                let site = "$.permissions.\(key)[\(index)]"
                warnings.append(
                    Diagnostic(
                        severity: .warning, file: application.manifestPath, position: places.position(of: site),
                        path: site, found: "\"\(path)\", a symbolic link: it grants \(place)",
                        expected: "the place itself", hint: "write \(place)"))
            }
        }
        return warnings
    }
}
