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
        func add<Number: FixedWidthInteger>(_ number: Number) {
            for byte in 0..<MemoryLayout<Number>.size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
        }
        add((Self.head + UInt32(network.length)).littleEndian)
        bytes += [0, 0]
        add(port.bigEndian)
        add(network.address.high.bigEndian)
        add(network.address.low.bigEndian)
        return bytes
    }
}
