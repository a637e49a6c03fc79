import Conditions
import Foundation
import TaskModel
import TestSupport
import Testing

@Suite("Default routes of the kernel")
struct RouteTests {
    private static func ip(_ words: String) throws {
        let command = try Command.run("ip", words.split(separator: " ").map(String.init))
        guard command.succeeded else { throw Problem("ip \(words): \(command.output)") }
    }

    /// Two ends of a cable, up, the first with an address.
    private static func lay() throws {
        try ip("link add ve0 type veth peer name ve1")
        try ip("addr add 10.99.0.1/24 dev ve0")
        try ip("link set ve0 up")
        try ip("link set ve1 up")
    }

    /// A new network namespace with a monitor of routes.
    private func inNetwork(_ body: @escaping @Sendable (Observed) throws -> Void) throws {
        try Namespace.run(Namespace.network) { try body(Observed(.nowhere)) }
    }

    @Test("A machine with a loopback alone has no network")
    func loopback() throws {
        try inNetwork { machine in
            try Self.ip("link set lo up")
            try machine.wait { $0.network == .none }
            #expect(machine.sources[.network] == "rtnetlink")
        }
    }

    @Test("A default route that comes and goes is seen, also when its link goes down")
    func changes() throws {
        try inNetwork { machine in
            try machine.wait { $0.network == .none }
            try Self.lay()
            try Self.ip("route add default via 10.99.0.2")
            try machine.wait { $0.network == .ok }
            try Self.ip("route del default")
            try machine.wait { $0.network == .none }
            try Self.ip("route add default via 10.99.0.2")
            try machine.wait { $0.network == .ok }
            // The kernel drops the route and announces the link alone.
            try Self.ip("link set ve0 down")
            try machine.wait { $0.network == .none }
        }
    }

    @Test("A cable that is pulled leaves a route that does not count, until it is back")
    func carrier() throws {
        try inNetwork { machine in
            try Self.lay()
            try Self.ip("route add default via 10.99.0.2")
            try machine.wait { $0.network == .ok }
            try Self.ip("link set ve1 down")
            try machine.wait { $0.network == .none }
            try Self.ip("link set ve1 up")
            try machine.wait { $0.network == .ok }
        }
    }

    @Test("Default routes of IPv6 count, with several next hops too")
    func ipv6() throws {
        try inNetwork { machine in
            try machine.wait { $0.network == .none }
            try Self.lay()
            try Self.ip("-6 addr add fd00:99::1/64 dev ve0 nodad")
            try Self.ip("-6 route add default nexthop via fd00:99::2 dev ve0 nexthop via fd00:99::3 dev ve0")
            try machine.wait { $0.network == .ok }
            try Self.ip("-6 route flush default")
            try machine.wait { $0.network == .none }
        }
    }

    @Test("Routes of other tables, and those that refuse, are no network")
    func others() throws {
        try inNetwork { machine in
            try Self.lay()
            try Self.ip("route add default via 10.99.0.2 table 77")
            try Self.ip("route add blackhole default metric 900")
            try Self.ip("-6 route add unreachable default metric 900")
            try Self.ip("route add 10.98.0.0/16 via 10.99.0.2")
            try machine.wait { $0.network == .none }
            let changes = machine.changes
            try machine.loop.run(for: .milliseconds(300))
            #expect(machine.changes == changes)
            try Self.ip("route replace default via 10.99.0.2 metric 5")
            try machine.wait { $0.network == .ok }
        }
    }

    @Test("Changes of a table that never rests are seen all the same")
    func churn() throws {
        try inNetwork { machine in
            try Self.lay()
            let folder = try Folder()
            var lines = ""
            for number in 0..<2000 { lines += "route add 10.98.\(number % 250).0/24 via 10.99.0.2\n" }
            let add = try folder.write("add", lines)
            let drop = try folder.write("drop", lines.replacing("route add", with: "route del"))
            try Self.ip("route add default via 10.99.0.2")
            let script = "while :; do ip -force -batch \(add.path); ip -force -batch \(drop.path); done"
            let churn = try Program("timeout", ["60", "sh", "-c", script + " >/dev/null 2>&1"])
            defer { churn.signalGroup(9) }
            try machine.wait() { $0.network == .ok }
            try Self.ip("route del default via 10.99.0.2")
            try machine.wait() { $0.network == .none }
        }
    }

    @Test("Changes that outrun the socket are caught up with")
    func flood() throws {
        try inNetwork { machine in
            try machine.wait { $0.network == .none }
            try Self.lay()
            let folder = try Folder()
            var lines = ""
            for number in 0..<3000 {
                lines += "route add 10.\(100 + number / 250).\(number % 250).0/24 via 10.99.0.2\n"
            }
            lines += "route add default via 10.99.0.2\n"
            let file = try folder.write("batch", lines)
            try Self.ip("-batch \(file.path)")
            let turns = machine.loop.turns
            try machine.wait { $0.network == .ok }
            #expect(machine.loop.turns - turns < 500)
        }
    }
}
