import TaskModel

extension ConnectRules.Key {
    /// Bytes of a key: its length in bits as the machine writes it, two of nothing, the port and the address as the network
    /// writes them.
    package static let size = 24
    /// Bits before the address.
    private static let head: UInt32 = 32

    /// In the layout of `ConnectProgram`'s map.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        withUnsafeBytes(of: Self.head + UInt32(network.length)) { bytes += $0 }
        bytes += [0, 0]
        withUnsafeBytes(of: port.bigEndian) { bytes += $0 }
        withUnsafeBytes(of: network.address.high.bigEndian) { bytes += $0 }
        withUnsafeBytes(of: network.address.low.bigEndian) { bytes += $0 }
        return bytes
    }
}
