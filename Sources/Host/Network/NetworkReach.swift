import JSON
package import Manifests
import TaskModel
import Workers

/// What grants cover on this machine beyond what they say.
package enum NetworkReach {
    /// A warning for each application that is granted any host where addresses are not held: then private, link-local and
    /// loopback ones are among them.
    package static func warnings(_ applications: [InstalledApplication]) -> [Diagnostic] {
        let wide = applications.filter { $0.definition.permissions.network.contains { $0.host == .any } }
        guard !wide.isEmpty, !ConnectGuard.isPossible() else { return [] }
        return wide.map { application in
            Diagnostic(
                severity: .warning, file: application.definition.manifestPath, position: .start,
                path: "$.permissions.network",
                found: "\"*\", which covers private, link-local and loopback addresses here",
                expected: "a root host with cgroup 2, where it covers public addresses alone")
        }
    }
}
