import Linux
import Manifests
import TaskModel

/// Granted paths that do not say what they grant: symbolic links, which grant their target, and those where nothing is, which grant
/// nothing.
enum GrantedPaths {
    /// A warning for each.
    static func warnings(of application: ApplicationDefinition, places: ManifestPlaces) -> [Diagnostic] {
        let permissions = application.permissions
        let resolver = GrantResolver()
        var warnings: [Diagnostic] = []
        for (key, paths) in [
            ("read", permissions.read), ("write", permissions.write), ("execute", permissions.execute),
        ] {
            for (index, path) in paths.enumerated() {
                let whole = GrantVariables.expand(path, [("$MANIFEST", application.manifestFolder)])
                guard whole.hasPrefix("/"), let words = words(resolver.finding(at: whole), isProgram: key == "execute")
                else {
                    continue
                }
                let site = "$.permissions.\(key)[\(index)]"
                warnings.append(
                    Diagnostic(
                        severity: .warning, file: application.manifestPath, position: places.position(of: site),
                        path: site, found: "\"\(path)\", \(words.found)", expected: words.expected, hint: words.hint))
            }
        }
        return warnings
    }

    private static func words(
        _ finding: GrantResolver.Finding?, isProgram: Bool
    ) -> (found: String, expected: String, hint: String)? {
        switch finding {
        // A program is called by its name, whichever version that leads to.
        case .link where isProgram: nil
        case .link(let place):
            ("a symbolic link: it grants \(place)", "the place itself", "write \(place)")
        case .absent(let code) where Errno(code) == .ENOENT:
            (
                "which is not there: it grants nothing", "a file or a folder that is there when a run starts",
                "create it, correct the path, or grant the folder in which the task makes it"
            )
        // Who may not look there does not know; a link that another application made is told at the launch.
        case .absent, .untrusted, nil: nil
        }
    }
}
