/// The machine's way to other machines at one moment. Whether the manifest grants the application the network is not
/// part of it: where it does not, connections fail although the path is satisfied.
public struct NWPath: Hashable, Sendable {
    /// Whether there is a way.
    public enum Status: Hashable, Sendable {
        /// There is: a default route.
        case satisfied
        /// There is none.
        case unsatisfied
        /// A connection might make one. Never here.
        case requiresConnection
    }

    /// Why there is no way.
    public enum UnsatisfiedReason: Hashable, Sendable {
        /// It is unknown.
        case notAvailable
        /// The user forbids cellular data. Never here.
        case cellularDenied
        /// The user forbids wireless networks. Never here.
        case wifiDenied
        /// The user forbids the local network. Never here.
        case localNetworkDenied
    }

    /// Whether there is a way.
    public let status: Status
    /// The interfaces of the default routes; the first is used first.
    public let availableInterfaces: [NWInterface]
    /// Whether a default route is one of IPv4.
    public let supportsIPv4: Bool
    /// Whether a default route is one of IPv6.
    public let supportsIPv6: Bool
    /// Whether the interface that is used first is a mobile network's, or the host counts the network as metered.
    public let isExpensive: Bool

    /// `notAvailable`.
    public var unsatisfiedReason: UnsatisfiedReason { .notAvailable }
    /// Whether it is satisfied: names are resolved over the network.
    public var supportsDNS: Bool { status == .satisfied }
    /// False: Linux has no low-data mode.
    public var isConstrained: Bool { false }

    /// Whether the path may use an interface of a kind.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        availableInterfaces.contains { $0.type == type }
    }
}

extension NWPath: CustomDebugStringConvertible {
    /// Its status and interfaces, for developers.
    public var debugDescription: String {
        "\(status) (\(availableInterfaces.map(\.name).joined(separator: ", ")))"
    }
}
