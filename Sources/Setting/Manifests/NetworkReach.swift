import JSON
package import Manifests
import TaskModel
import Workers

/// Where grants cover more on this machine than they say.
package enum NetworkReach {
    /// A warning for each application with a grant of any host where addresses are not enforced: it includes private,
    /// link-local and loopback ones.
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
