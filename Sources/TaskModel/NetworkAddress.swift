/// An internet address as 128 bits, high half first; IPv4 in its mapped form `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2), so that
/// the two ways to write the same address are the same.
package struct NetworkAddress: Sendable, Hashable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(v4 address: UInt32) {
        self.init(high: 0, low: 0xffff_0000_0000 | UInt64(address))
    }

    package var isV4: Bool { high == 0 && low >> 32 == 0xffff }

    /// With all bits behind the first `count` cleared.
    package func prefix(_ count: UInt8) -> NetworkAddress {
        let high = count >= 64 ? self.high : count == 0 ? 0 : self.high & ~0 << (64 - UInt64(count))
        let low = count >= 128 ? self.low : count <= 64 ? 0 : self.low & ~0 << (128 - UInt64(count))
        return NetworkAddress(high: high, low: low)
    }

    /// Addresses that begin alike.
    package struct Network: Sendable, Hashable {
        package let address: NetworkAddress
        /// Bits that they share, 0…128; 96 more than an IPv4 network is written with.
        package let length: UInt8

        /// Bits of `address` behind the prefix are cleared.
        package init(_ address: NetworkAddress, length: UInt8) {
            self.address = address.prefix(length)
            self.length = length
        }

        package init(_ address: NetworkAddress) { self.init(address, length: 128) }

        package init(v4 a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, length: UInt8) {
            let bits = UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d)
            self.init(NetworkAddress(v4: bits), length: 96 + length)
        }

        package func contains(_ other: Network) -> Bool {
            length <= other.length && other.address.prefix(length) == address
        }

        package func contains(_ other: NetworkAddress) -> Bool { contains(Network(other)) }
    }
}
