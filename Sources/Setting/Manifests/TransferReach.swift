import Manifests
import TaskModel

/// Hosts that a manifest's `transfers` name, and that its `permissions.network` do not lead to.
enum TransferReach {
    /// A warning for each host whose settings have no effect.
    static func warnings(of application: ApplicationDefinition, places: ManifestPlaces) -> [Diagnostic] {
        let grants = application.permissions.network
        var hosts = application.transfers.trust.enumerated().map { ("trust[\($0)].host", $1.host) }
        hosts += (application.transfers.renewal?.hosts ?? []).enumerated().map { ("renew.hosts[\($0)]", $1) }
        return hosts.filter { !isGranted($0.1, by: grants) }.map { key, host in
            let site = "$.transfers.\(key)"
            return Diagnostic(
                severity: .warning, file: application.manifestPath, position: places.position(of: site), path: site,
                found: "\"\(host)\"", expected: "a host that the permissions let the application reach",
                hint: "add \"\(host.contains(":") ? "[\(host)]" : host):443\" to \"permissions\".\"network\"")
        }
    }

    /// With any port. For a name, some address might be granted.
    private static func isGranted(_ host: String, by grants: [NetworkGrant]) -> Bool {
        guard let address = NetworkAddress(host[...]) else {
            return grants.contains { grant in
                switch grant.host {
                case .any, .network, .loopback: true
                case .name(let name): name == host
                }
            }
        }
        let rules = ConnectRules(grants, addresses: [:], nameServers: [])
        return grants.contains { rules.allows(address, port: $0.port ?? 443) }
    }
}
