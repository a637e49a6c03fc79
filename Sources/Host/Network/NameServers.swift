import Linux
import TaskModel

/// The name servers that the machine's resolver asks (resolv.conf(5)).
enum NameServers {
    /// More are not asked by the C library either (MAXNS).
    private static let most = 3

    static func current() -> [NetworkAddress] {
        read((try? FileText.read("/etc/resolv.conf", limit: 64 << 10)) ?? "")
    }

    static func read(_ text: String) -> [NetworkAddress] {
        var servers: [NetworkAddress] = []
        for line in text.split(whereSeparator: \.isNewline) where servers.count < most {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count >= 2, words[0] == "nameserver" else { continue }
            // A zone names the interface of a link-local address.
            let text = words[1].prefix { $0 != "%" }
            if let address = NetworkAddress(text) { servers.append(address) }
        }
        return servers.isEmpty ? [NetworkAddress(v4: 0x7f00_0001)] : servers
    }
}
