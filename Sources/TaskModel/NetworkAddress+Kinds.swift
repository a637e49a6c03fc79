extension NetworkAddress {
    /// The kind of an address. `*` and Internet names cover only public ones.
    package enum Kind: Sendable, CaseIterable {
        case `public`
        /// Of the own network: RFC 1918, RFC 6598, RFC 4193.
        case `private`
        /// This machine; an unspecified address connects to it too.
        case loopback
        /// Neighbors on the same link, and the metadata service of clouds (169.254.169.254).
        case linkLocal
        /// No single machine: multicast, broadcast, reserved.
        case special
    }

    package var kind: Kind {
        Self.ranges.filter { $0.network.contains(self) }.max { $0.network.length < $1.network.length }?.kind ?? .public
    }

    /// Networks that are not public. IPv6 forms that gateways translate to IPv4 (RFC 6052, RFC 3056) count as the
    /// contained address.
    package static let ranges: [(network: Network, kind: Kind)] = {
        let v4: [(Network, Kind)] = [
            (Network(v4: 0, 0, 0, 0, length: 8), .loopback), (Network(v4: 127, 0, 0, 0, length: 8), .loopback),
            (Network(v4: 10, 0, 0, 0, length: 8), .private), (Network(v4: 172, 16, 0, 0, length: 12), .private),
            (Network(v4: 192, 168, 0, 0, length: 16), .private), (Network(v4: 100, 64, 0, 0, length: 10), .private),
            (Network(v4: 198, 18, 0, 0, length: 15), .private),
            (Network(v4: 169, 254, 0, 0, length: 16), .linkLocal), (Network(v4: 192, 0, 0, 0, length: 24), .special),
            (Network(v4: 224, 0, 0, 0, length: 4), .special), (Network(v4: 240, 0, 0, 0, length: 4), .special),
        ]
        let v6: [(Network, Kind)] = [
            // Unspecified, loopback, and IPv4 in the form that RFC 4291 deprecates.
            (Network(NetworkAddress(high: 0, low: 0), length: 96), .loopback),
            (Network(NetworkAddress(high: 0xfc00 << 48, low: 0), length: 7), .private),
            (Network(NetworkAddress(high: 0xfe80 << 48, low: 0), length: 10), .linkLocal),
            (Network(NetworkAddress(high: 0xfec0 << 48, low: 0), length: 10), .private),
            (Network(NetworkAddress(high: 0xff00 << 48, low: 0), length: 8), .special),
            // Gateways of the own network, RFC 8215.
            (Network(NetworkAddress(high: 0x0064_ff9b_0001_0000, low: 0), length: 48), .private),
        ]
        return v4 + v6
            + v4.flatMap { network, kind in
                let bits = UInt64(truncatingIfNeeded: network.address.low & 0xffff_ffff)
                let short = network.length - 96
                return [
                    (Network(NetworkAddress(high: 0x0064_ff9b_0000_0000, low: bits), length: 96 + short), kind),
                    (Network(NetworkAddress(high: 0x2002 << 48 | bits << 16, low: 0), length: 16 + short), kind),
                ]
            }
    }()
}
