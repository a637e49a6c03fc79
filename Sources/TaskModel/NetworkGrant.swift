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
