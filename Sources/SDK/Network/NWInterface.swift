/// An interface of the machine to a network.
public struct NWInterface: Hashable, Sendable {
    /// Kinds of interfaces.
    public enum InterfaceType: Hashable, CaseIterable, Sendable {
        /// Of a kind of its own, such as a tunnel or a bridge.
        case other
        /// Wireless.
        case wifi
        /// A modem for a mobile network.
        case cellular
        /// A cable.
        case wiredEthernet
        /// The machine itself.
        case loopback
    }

    /// Its kind: from the kernel's table of wireless interfaces, otherwise from its name, as systemd and the kernel
    /// give them.
    public let type: InterfaceType
    /// Its name, such as `eth0`.
    public let name: String
}

extension NWInterface: CustomDebugStringConvertible {
    /// Its name.
    public var debugDescription: String { name }
}
