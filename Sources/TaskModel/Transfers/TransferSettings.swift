/// A manifest's settings of the application's background transfers (`transfers`).
package struct TransferSettings: Sendable, Equatable {
    /// PEM files of its client certificate and of the key, which its permissions let it read; empty: none. Variables as in
    /// `Permissions` are not yet replaced.
    package var certificate = ""
    package var key = ""
    /// The hosts for which it does not use the system's store. No host occurs twice.
    package var trust: [TransferTrust] = []
    /// nil: no task renews its credentials.
    package var renewal: TransferRenewal?

    package init() {}

    /// The entry for a host, as a URL names it; nil: the system's store decides.
    package func trust(for host: String) -> TransferTrust? {
        let name = Self.name(of: host)
        return trust.first { $0.host == name }
    }

    /// Whether the credentials for a host, as a URL names it, are renewed.
    package func renews(for host: String) -> Bool { renewal?.hosts.contains(Self.name(of: host)) == true }

    /// A host in the form in which hosts are compared: a name in lower case, an address in one spelling, without brackets.
    package static func name(of host: String) -> String {
        let inner = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
        return NetworkAddress(inner)?.description ?? inner.lowercased()
    }
}

/// How an application verifies a host.
package struct TransferTrust: Sendable, Equatable {
    /// As `TransferSettings.name(of:)` has it.
    package var host: String
    /// `sha256/…` of public keys (RFC 7469), one of which the server must have, in addition to a valid certificate;
    /// empty: any.
    package var pins: [String] = []
    /// PEM file of the authorities that count instead of the system's; empty: the system's.
    package var authorities = ""

    package init(host: String) { self.host = host }
}

/// A task that renews credentials when a server does not accept them any more.
package struct TransferRenewal: Sendable, Equatable {
    /// One of the manifest's own.
    package var task: String
    /// In the form of `TransferSettings.name(of:)`: only their answers start it, and only they receive the credential.
    package var hosts: [String]

    package init(task: String, hosts: [String]) {
        self.task = task
        self.hosts = hosts
    }
}
