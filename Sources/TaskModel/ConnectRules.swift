/// Where a worker, or a transfer, may connect: the manifest's grants, with the addresses of the names in them.
///
/// The decision for an address and a port is that of the longest entry for the port which the address begins with; where
/// that does not allow it, that of the longest entry for every port. Without an entry it is refused.
package struct ConnectRules: Sendable, Equatable {
    /// A network and a port; 0 is every port.
    package struct Key: Sendable, Hashable {
        package var port: UInt16
        package var network: NetworkAddress.Network

        package init(port: UInt16, network: NetworkAddress.Network) {
            self.port = port
            self.network = network
        }
    }

    /// Whether a connection is allowed.
    package private(set) var entries: [Key: Bool] = [:]

    /// - Parameters:
    ///   - addresses: the present addresses of the names in `grants`.
    ///   - nameServers: the machine's. `*` includes them, because a worker that may reach any host also has to find it.
    package init(_ grants: [NetworkGrant], addresses: [String: [NetworkAddress]], nameServers: [NetworkAddress]) {
        // Non-public networks are excluded from a wider grant first, so that a grant that names one takes precedence.
        for grant in grants {
            let whole: NetworkAddress.Network
            switch grant.host {
            case .any: whole = Self.everything
            case .network(let network): whole = network
            case .loopback, .name: continue
            }
            allow(whole, grant)
            for range in NetworkAddress.ranges where range.network != whole && whole.contains(range.network) {
                entries[Key(port: grant.port ?? 0, network: range.network)] = false
            }
        }
        for grant in grants {
            switch grant.host {
            case .any:
                for server in nameServers { entries[Key(port: Self.domain, network: .init(server))] = true }
            case .network(let network): allow(network, grant)
            case .loopback: for network in Self.loopback { allow(network, grant) }
            case .name(let name):
                for address in addresses[name] ?? [] where Self.covers(name, address) { allow(.init(address), grant) }
            }
        }
    }

    private mutating func allow(_ network: NetworkAddress.Network, _ grant: NetworkGrant) {
        entries[Key(port: grant.port ?? 0, network: network)] = true
    }

    private static let domain: UInt16 = 53
    private static let everything = NetworkAddress.Network(NetworkAddress(high: 0, low: 0), length: 0)
    /// The unspecified addresses too: to connect to them is to connect to this machine (ip(7)).
    private static let loopback: [NetworkAddress.Network] = [
        .init(v4: 127, 0, 0, 0, length: 8), .init(v4: 0, 0, 0, 0, length: 32),
        .init(NetworkAddress(high: 0, low: 1)), .init(NetworkAddress(high: 0, low: 0)),
    ]

    /// Whether the grant of a name is one of this address: the name server of an Internet name must not be able to
    /// direct the worker into the local network. A local name may have addresses there; no name may have addresses of
    /// this machine or link-local ones.
    package static func covers(_ name: String, _ address: NetworkAddress) -> Bool {
        switch address.kind {
        case .public: true
        case .private: isLocal(name)
        case .loopback, .linkLocal, .special: false
        }
    }

    /// A name without a dot, or below a domain that is reserved for own networks (RFC 6762, RFC 8375, `internal` by ICANN).
    private static func isLocal(_ name: String) -> Bool {
        !name.contains(".") || [".internal", ".local", ".home.arpa"].contains { name.hasSuffix($0) }
    }

    /// The decision, as the kernel's maps make it.
    package func allows(_ address: NetworkAddress, port: UInt16) -> Bool {
        port != 0 && (allows(address, key: port) || allows(address, key: 0))
    }

    private func allows(_ address: NetworkAddress, key port: UInt16) -> Bool {
        for length in (0...UInt8(128)).reversed() {
            let key = Key(port: port, network: .init(address, length: length))
            if let decision = entries[key] { return decision }
        }
        return false
    }
}
