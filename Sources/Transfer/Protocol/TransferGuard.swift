import TaskModel

/// Where a transfer may connect, by its application's `permissions.network`: it checks every URL, including redirects, and
/// every address, with the same rules as for workers (`ConnectRules`). Names have one more rule: the grant of a name applies
/// to URLs with that name.
struct TransferGuard {
    private let grants: [NetworkGrant]
    private let named: ConnectRules

    init(_ grants: [NetworkGrant]) {
        self.grants = grants
        named = ConnectRules(grants, addresses: [:], nameServers: [])
    }

    /// Whether a URL may be requested at all, before its name is resolved: some address of a name might be granted.
    func allows(_ url: TransferURL) -> Bool {
        NetworkGrant.mayReach(url.host, port: url.port, by: grants)
    }

    /// Whether this address of `host` may be connected to.
    func allows(_ address: NetworkAddress, port: UInt16, host: String) -> Bool {
        if named.allows(address, port: port) { return true }
        let grants = self.grants.filter { $0.host == .name(host) }
        guard !grants.isEmpty else { return false }
        return ConnectRules(grants, addresses: [host: [address]], nameServers: []).allows(address, port: port)
    }

    /// Whether a URL may be requested through a proxy, which resolves the name itself: the name has to be granted, or `*`.
    func allowsByProxy(_ url: TransferURL) -> Bool {
        if url.address != nil { return allows(url) }
        return grants.contains { grant in
            guard grant.port == nil || grant.port == url.port else { return false }
            return grant.host == .any || grant.host == .name(url.host)
        }
    }
}
