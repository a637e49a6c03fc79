/// One entry of `permissions.network`: where a worker may connect to.
package struct NetworkGrant: Sendable, Equatable, Hashable {
    /// The part before the port.
    package enum Host: Sendable, Hashable {
        /// `*`: every public address.
        case any
        /// `loopback` or `localhost`: this machine itself.
        case loopback
        case name(String)
        /// One address, or a network in CIDR notation.
        case network(NetworkAddress.Network)
    }

    package var host: Host
    /// nil: every port.
    package var port: UInt16?

    package init(_ host: Host, port: UInt16?) {
        self.host = host
        self.port = port
    }
}

extension NetworkGrant {
    /// Whether a URL of that host may be asked for at all, before a name is resolved: some address of it might be granted.
    ///
    /// - Parameter host: a name in small letters, or an address without brackets.
    package static func mayReach(_ host: String, port: UInt16, by grants: [NetworkGrant]) -> Bool {
        if let address = NetworkAddress(host) {
            return ConnectRules(grants, addresses: [:], nameServers: []).allows(address, port: port)
        }
        return grants.contains { grant in
            guard grant.port == nil || grant.port == port else { return false }
            return switch grant.host {
            case .any, .network, .loopback: true
            case .name(let name): name == host
            }
        }
    }
}
