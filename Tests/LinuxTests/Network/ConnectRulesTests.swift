import TaskModel
import Testing

@Suite("Where a worker may connect to")
struct ConnectRulesTests {
    private static func network(_ text: String, _ length: UInt8 = 128) -> NetworkGrant.Host {
        .network(.init(NetworkAddress(text) ?? NetworkAddress(high: 0, low: 0), length: length))
    }
    static let grants: [String: NetworkGrant] = [
        "*:443": NetworkGrant(.any, port: 443), "*:*": NetworkGrant(.any, port: nil),
        "loopback:*": NetworkGrant(.loopback, port: nil), "loopback:80": NetworkGrant(.loopback, port: 80),
        "10.0.0.0/8:443": NetworkGrant(network("10.0.0.0", 104), port: 443),
        "127.0.0.1:8080": NetworkGrant(network("127.0.0.1"), port: 8080),
        "0.0.0.0/0:443": NetworkGrant(network("0.0.0.0", 96), port: 443),
        "169.254.169.254:80": NetworkGrant(network("169.254.169.254"), port: 80),
        "[fd00::/8]:*": NetworkGrant(network("fd00::", 8), port: nil),
        "feeds.example.com:443": NetworkGrant(.name("feeds.example.com"), port: 443),
        "db:5432": NetworkGrant(.name("db"), port: 5432),
    ]
    static let addresses: [String: [NetworkAddress]] = [
        "feeds.example.com": ["203.0.113.7", "2001:db8::7", "10.1.2.3", "127.0.0.1", "169.254.169.254"]
            .compactMap { NetworkAddress($0) },
        "db": ["172.18.0.3", "127.0.1.1"].compactMap { NetworkAddress($0) },
    ]

    static func rules(_ names: String...) -> ConnectRules {
        ConnectRules(
            names.compactMap { grants[$0] }, addresses: addresses,
            nameServers: [NetworkAddress("127.0.0.53")].compactMap { $0 })
    }

    @Test(
        "follows from the grants",
        arguments: [
            ("*:443", "93.184.216.34 443", true), ("*:443", "93.184.216.34 80", false),
            ("*:443", "10.0.0.1 443", false),
            ("*:443", "127.0.0.1 443", false), ("*:443", "::1 443", false), ("*:443", "169.254.169.254 443", false),
            ("*:443", "::ffff:127.0.0.1 443", false), ("*:443", "2606:2800::1 443", true),
            ("*:443", "fd00::1 443", false),
            ("*:443", "0.0.0.0 443", false), ("*:443", ":: 443", false), ("*:443", "64:ff9b::127.0.0.1 443", false),
            ("*:443", "64:ff9b::8.8.8.8 443", true), ("*:443", "127.0.0.53 53", true), ("*:443", "8.8.8.8 53", false),
            ("*:*", "93.184.216.34 1", true), ("*:*", "93.184.216.34 0", false), ("*:*", "192.168.1.1 80", false),
            ("loopback:*", "127.0.0.1 22", true), ("loopback:*", "127.9.9.9 65535", true),
            ("loopback:*", "::1 1", true),
            ("loopback:*", "0.0.0.0 1", true), ("loopback:*", "0.0.0.1 1", false), ("loopback:*", "10.0.0.1 1", false),
            ("loopback:*", "127.0.0.1 0", false), ("loopback:80", "127.0.0.1 81", false),
            ("10.0.0.0/8:443", "10.255.1.2 443", true), ("10.0.0.0/8:443", "11.0.0.0 443", false),
            ("10.0.0.0/8:443", "::ffff:10.1.1.1 443", true), ("10.0.0.0/8:443", "10.1.1.1 80", false),
            ("127.0.0.1:8080", "127.0.0.1 8080", true), ("127.0.0.1:8080", "127.0.0.2 8080", false),
            ("127.0.0.1:8080", "::1 8080", false), ("169.254.169.254:80", "169.254.169.254 80", true),
            // A network that holds all does not name any.
            ("0.0.0.0/0:443", "93.184.216.34 443", true), ("0.0.0.0/0:443", "10.0.0.1 443", false),
            ("0.0.0.0/0:443", "127.0.0.1 443", false), ("0.0.0.0/0:443", "2606:2800::1 443", false),
            ("[fd00::/8]:*", "fd12::1 7", true), ("[fd00::/8]:*", "fc00::1 7", false),
            // A name leads where it is meant to lead, whatever its servers answer.
            ("feeds.example.com:443", "203.0.113.7 443", true), ("feeds.example.com:443", "2001:db8::7 443", true),
            ("feeds.example.com:443", "203.0.113.8 443", false), ("feeds.example.com:443", "203.0.113.7 80", false),
            ("feeds.example.com:443", "10.1.2.3 443", false), ("feeds.example.com:443", "127.0.0.1 443", false),
            ("feeds.example.com:443", "169.254.169.254 443", false),
            ("feeds.example.com:443", "127.0.0.53 53", false),
            ("db:5432", "172.18.0.3 5432", true), ("db:5432", "127.0.1.1 5432", false),
        ] as [(String, String, Bool)])
    func follows(_ grant: String, _ target: String, _ isAllowed: Bool) throws {
        let words = target.split(separator: " ")
        let address = try #require(NetworkAddress(words[0]))
        let port = try #require(UInt16(words[1]))
        #expect(Self.rules(grant).allows(address, port: port) == isAllowed)
    }

    @Test("adds up: a grant that names an address wins over one that leaves it out")
    func addsUp() throws {
        let both = Self.rules("*:443", "10.0.0.0/8:443", "loopback:*", "0.0.0.0/0:443")
        for text in ["10.0.0.1", "127.0.0.1", "8.8.8.8"] {
            #expect(both.allows(try #require(NetworkAddress(text)), port: 443))
        }
        #expect(!both.allows(try #require(NetworkAddress("192.168.0.1")), port: 443))
        #expect(ConnectRules([], addresses: [:], nameServers: []).entries.isEmpty)
    }
}
