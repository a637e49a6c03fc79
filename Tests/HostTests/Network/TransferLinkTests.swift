import Control
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// A host in its own network, with one link to a server at its other end.
@Suite("Transfers and a link that goes down", .enabled(if: Machine.isRoot, "only root makes networks"))
struct TransferLinkTests {
    /// The network, which is gone with this object.
    private final class Link {
        let name = "tht\(getpid() % 30_000)"
        let address: String
        private let host: String

        init() throws {
            let net = "10.214.\(getpid() % 250)"
            (address, host) = ("\(net).1", "\(net).2")
            try Self.ip("netns add \(name)")
            try Self.ip("link add \(name) type veth peer name eth0 netns \(name)")
            try Self.ip("address add \(address)/30 dev \(name)")
            try Self.ip("link set \(name) up")
            for words in ["address add \(host)/30 dev eth0", "link set lo up", "link set eth0 up"] {
                try Self.ip("-n \(name) \(words)")
            }
            try Self.ip("-n \(name) route add default via \(address)")
        }

        deinit {
            try? Self.ip("link delete \(name)")
            try? Self.ip("netns delete \(name)")
        }

        /// Breaks the host's connections to the server, as silence does a minute later (ss(8), `-K`).
        func breakConnections() throws {
            let command = try Program("ip", ["netns", "exec", name, "ss", "-K", "dst", address]).finish()
            guard command.output.contains(address) else { throw TestSupport.Problem("ss -K: \(command)") }
        }

        /// Pulls the cable at the other end, or plugs it in.
        func set(isUp: Bool) throws { try Self.ip("link set \(name) \(isUp ? "up" : "down")") }

        private static func ip(_ words: String) throws {
            let command = try Program("ip", words.split(separator: " ").map(String.init)).finish()
            guard command.succeeded else { throw TestSupport.Problem("ip \(words): \(command)") }
        }
    }

    private static let application = "org.taskhost.fixtures.transfers"
    private static let size = 4_000_000

    @Test("They wait without an attempt while it is down, and resume where they were when it is up again")
    func goesDown() throws {
        let link = try Link()
        let folder = try TestSupport.Folder()
        let contents = (0..<3).map { number in (0..<Self.size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) } }
        for (number, content) in contents.enumerated() { try folder.write("www/\(number)", content) }
        let server = try Nginx(
            folder: folder, line: "$status $request_method $request_uri range=$http_range", on: link.address
        ) { "server { listen \($1[0]); root \($0)/www; limit_rate 500k; }" }
        let place = "\(link.address):\(server.ports[0])"
        let station = try Station()
        var manifest = try ManifestText(fixture: "fixtures.transfers")
        manifest["permissions"] = ["network": [place]]
        try station.add(manifest)
        station.starter = ["ip", "netns", "exec", link.name]
        let daemon = try Daemon(station)
        func list() throws -> [JSONValue] {
            try daemon.ask(.get, "/v1/transfers").document()["transfers"]?.array ?? []
        }
        for number in contents.indices {
            let url = "http://\(place)/\(number)"
            let body = "{\"url\":\"\(url)\",\"application\":\"\(Self.application)\"}"
            #expect(try daemon.ask(.post, "/v1/transfers", body: body).status < 300)
        }
        for number in contents.indices { try station.waitForPart(Int64(number + 1), of: Self.application) }

        try link.set(isUp: false)
        try daemon.waitUntil { try daemon.condition("network") == "none" }
        try link.breakConnections()
        try daemon.waitUntil { try list().allSatisfy { $0["waitsFor"]?.string == "network" } }
        let attempts = try list().map { $0["attempts"]?.integer }
        #expect(attempts == [1, 1, 1])
        let parts = try list().map { $0["received"]?.integer ?? 0 }
        #expect(parts.allSatisfy { $0 > 0 && $0 < Self.size }, "\(parts)")

        try link.set(isUp: true)
        // Told by the kernel: the pause between attempts, which is longer each time, is not waited for.
        try daemon.waitUntil { try list().allSatisfy { $0["waitsFor"]?.string == nil } }
        try daemon.waitUntil { try list().allSatisfy { $0["state"]?.string == "delivered" } }
        #expect(try list().allSatisfy { $0["error"]?.string == nil && $0["attempts"]?.integer == 2 })
        #expect(try daemon.stop().status == 0)
        for (number, content) in contents.enumerated() {
            let file = "\(station.state)/applications/\(Self.application)/cache/taskhost-\(number + 1).download"
            #expect(FileManager.default.contents(atPath: file) == Data(content), "\(number)")
            try server.wait(forAnswer: "206 GET /\(number) range=bytes=")
        }
    }
}
