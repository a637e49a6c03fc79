import TaskModel

/// Where a transfer may lead, by its application's `permissions.network`: every URL, redirects too, and every address that is
/// connected to, with the meaning that the grants have for the application's workers (`ConnectRules`). Names are held to more:
/// the grant of a name is for URLs with that name.
struct TransferGuard {
    private let grants: [NetworkGrant]
    private let named: ConnectRules

    init(_ grants: [NetworkGrant]) {
        self.grants = grants
        named = ConnectRules(grants, addresses: [:], nameServers: [])
    }

    /// Whether a URL may be asked for at all, before a name is looked up: of a name, some address might be granted.
    func allows(_ url: TransferURL) -> Bool {
        if let address = url.address { return named.allows(address, port: url.port) }
        return grants.contains { grant in
            guard grant.port == nil || grant.port == url.port else { return false }
            return switch grant.host {
            case .any, .network, .loopback: true
            case .name(let name): name == url.host
            }
        }
    }

    /// Whether the address that `host` stands for may be connected to.
    func allows(_ address: NetworkAddress, port: UInt16, host: String) -> Bool {
        if named.allows(address, port: port) { return true }
        let grants = self.grants.filter { $0.host == .name(host) }
        guard !grants.isEmpty else { return false }
        return ConnectRules(grants, addresses: [host: [address]], nameServers: []).allows(address, port: port)
    }

    /// Whether a URL may be asked for through a proxy, which looks the name up itself: the name has to be granted, or `*`.
    func allowsByProxy(_ url: TransferURL) -> Bool {
        if url.address != nil { return allows(url) }
        return grants.contains { grant in
            guard grant.port == nil || grant.port == url.port else { return false }
            return grant.host == .any || grant.host == .name(url.host)
        }
    }
}
