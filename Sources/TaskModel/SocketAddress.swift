/// An address and a port, such as `127.0.0.1:9464` or `[::1]:9464`.
package struct SocketAddress: Sendable, Hashable {
    package var address: NetworkAddress
    package var port: UInt16

    package init(_ address: NetworkAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// nil for everything else, names of hosts included.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let port = UInt16(digits),
            let address = NetworkAddress(isBracketed ? host.dropFirst().dropLast() : host),
            isBracketed == host.contains(":")
        else { return nil }
        self.init(address, port: port)
    }

    /// Only processes of this machine reach it. An unspecified address is every address.
    package var isLoopback: Bool {
        NetworkAddress.Network(v4: 127, 0, 0, 0, length: 8).contains(address)
            || address == NetworkAddress(high: 0, low: 1)
    }
}

extension SocketAddress: CustomStringConvertible {
    package var description: String { address.isV4 ? "\(address):\(port)" : "[\(address)]:\(port)" }
}
