import Foundation
import Glibc
import TestSupport
import Testing

/// ICMP echo requests of confined programs, for a root host's user and an ordinary user's host, in a network of their own.
@Suite("A confined program that may ping", .enabled(if: Machine.isRoot, "a network of its own takes root"))
struct PingTests {
    private static let task = "com.example.ping"

    private final class Bench {
        let station: Station
        private let folder: TestSupport.Folder
        private let user: String?

        /// - Parameter groups: whom the machine lets send echo requests.
        init(_ host: String?, groups: String = "0 2147483647") throws {
            folder = try TestSupport.Folder()
            user = host == nil ? "nobody" : nil
            station =
                host == nil ? try Station() : try Station(user: Machine.nobody, state: folder.path + "/home/state")
            // What learning keeps lies beside the state.
            if host != nil { #expect(chown(folder.path + "/home", Machine.nobody, Machine.nobody) == 0) }
            let script =
                "ip link set lo up && echo '\(groups)' >/proc/sys/net/ipv4/ping_group_range && exec \"$0\" \"$@\""
            station.starter = ["unshare", "--net", "sh", "-c", script]
        }

        func add(_ words: [String], _ permissions: [String: Any]?) throws {
            var members: [String: Any] = [
                "identifier": PingTests.task, "enforcement": "bestEffort",
                "tasks": [
                    PingTests.task: [
                        "kind": "processing", "handler": ["command": words], "budget": ["wallClock": "1m"],
                        "retry": ["attempts": 1, "backoff": "1m"],
                    ] as [String: Any]
                ],
            ]
            if let permissions { members["permissions"] = permissions } else { members["confinement"] = "none" }
            if let user { members["user"] = user }
            try station.add(ManifestText(members: members))
        }

        func run() throws -> RunDocument {
            let report = try station.run(PingTests.task)
            let run = try #require(report[PingTests.task], "\(report.command)")
            station.expectNothingLeft()
            return run
        }

        /// The first run is explained, as each of a host's first, and the others of the same host are not.
        func runs() throws -> [RunDocument] {
            let summary = try station.run(PingTests.task, "--repeat", "3").command
            try #require(summary.output.contains("\"runs\":3"), "\(summary)")
            station.expectNothingLeft()
            let list = try station.ask(RunDocument.List.self, "history")
            try #require(list.runs.count == 3, "\(list)")
            return try list.runs.map(station.show)
        }
    }

    @Test("does, by both protocols, whether or not its refusals are told", arguments: SocketGrantTests.hosts)
    func pings(_ host: String?) throws {
        let bench = try Bench(host)
        try bench.add(["/bin/sh", "-c", "ping -c1 -W9 127.0.0.1 && ping -c1 -W9 ::1"], ["ping": true])
        for run in try bench.runs() {
            let text = try bench.station.logs(run).text
            #expect(run.outcome == "succeeded" && run.diagnostics.isEmpty, "\(run) \(text)")
            #expect(text.split(separator: "\n").count { $0.contains("1 received") } == 2, "\(text)")
        }
    }

    @Test("sends nothing else, whatever socket it asks for", arguments: SocketGrantTests.hosts, [false, true])
    func others(_ host: String?, hasSockets: Bool) throws {
        let bench = try Bench(host)
        let script = """
            import errno, os, socket, struct
            here = ("127.0.0.1", 53)
            def attempt(name, body):
                try: print(name, body())
                except OSError as e: print(name, errno.errorcode[e.errno])
            def udp(domain=socket.AF_INET): return socket.socket(domain, socket.SOCK_DGRAM)
            s = udp(); s.connect(here)
            attempt("address", lambda: s.getsockname()[0])
            attempt("kind", lambda: s.getsockopt(socket.SOL_SOCKET, 38))
            attempt("send", lambda: s.send(b"a question of a name server"))
            attempt("sendto", lambda: udp().sendto(b"a question of a name server", here))
            attempt("sendmsg", lambda: udp().sendmsg([b"a question of a name server"], [], 0, here))
            attempt("six", lambda: udp(socket.AF_INET6).sendto(b"a question of a name server", ("::1", 53)))
            def packet(kind, number=0): return struct.pack("!BBHHH", kind, number, 0, 0, 1) + bytes(32)
            for kind, number in [(8, 0), (13, 0), (5, 0), (0, 0), (3, 1)]:
                attempt("type %d" % kind, lambda: udp().sendto(packet(kind, number), here))
            for kind in [128, 135, 136, 143]:
                attempt("six %d" % kind, lambda: udp(socket.AF_INET6).sendto(packet(kind), ("::1", 53)))
            attempt("group", lambda: udp().setsockopt(socket.IPPROTO_IP, 35, socket.inet_aton("239.1.2.3") + bytes(4)))
            attempt("group six", lambda: udp(socket.AF_INET6).setsockopt(41, 20, bytes([255, 2] + 13 * [0] + [9]) + bytes(4)))
            attempt("route", lambda: s.setsockopt(socket.IPPROTO_IP, 4, b"\\x83\\x07\\x04\\x7f\\0\\0\\x01\\0"))
            attempt("bind", lambda: udp().bind(here))
            attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
            attempt("stream", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            attempt("lite", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 136))
            attempt("unix", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", "/run/none"))
            attempt("packet", lambda: socket.socket(17, socket.SOCK_DGRAM))
            """
        try bench.add(
            ["/usr/bin/python3", "-c", script], hasSockets ? ["ping": true, "sockets": ["/run/none"]] : ["ping": true])
        for run in try bench.runs() {
            let text = try bench.station.logs(run).text
            #expect(run.outcome == "succeeded", "\(run) \(text)")
            #expect(
                text.split(separator: "\n").map(String.init) == [
                    "address 127.0.0.1", "kind 1", "send EINVAL", "sendto EINVAL", "sendmsg EINVAL", "six EINVAL",
                    "type 8 40", "type 13 EINVAL", "type 5 EINVAL", "type 0 EINVAL", "type 3 EINVAL", "six 128 40",
                    "six 135 EINVAL", "six 136 EINVAL", "six 143 EINVAL", "group EPERM", "group six EPERM",
                    "route EPERM",
                    "bind EPERM", "raw EPERM", "stream EACCES", "lite EACCES",
                    hasSockets ? "unix ENOTCONN" : "unix EACCES", "packet EACCES",
                ], "\(text)")
        }
    }

    @Test("does beside Unix sockets, whose broker connects it", arguments: SocketGrantTests.hosts)
    func withSockets(_ host: String?) throws {
        let bench = try Bench(host)
        let script = """
            ping -c1 -W9 127.0.0.1 | grep received
            python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("/run/dbus/system_bus_socket")' 2>&1 | tail -1
            """
        try bench.add(["/bin/sh", "-c", script], ["ping": true, "sockets": ["/run/none"]])
        for run in try bench.runs() {
            let text = try bench.station.logs(run).text
            #expect(text.contains("1 received") && text.contains("Error"), "\(run) \(text)")
        }
    }

    @Test("is told what is missing: the permission, or a group of the machine's", arguments: SocketGrantTests.hosts)
    func missing(_ host: String?) throws {
        let ungranted = try Bench(host)
        try ungranted.add(["/bin/ping", "-c1", "127.0.0.1"], [:])
        let refused = try ungranted.run()
        // A root host does not execute it, where it is a file with a capability.
        #expect(
            refused.outcome == "failed"
                && refused.diagnostics.contains {
                    $0.hasPrefix("denied: send ICMP echo requests") && $0.contains("; permissions.ping (derived")
                }, "\(refused)")

        let closed = try Bench(host, groups: "1 0")
        try closed.add(["/bin/ping", "-c1", "127.0.0.1"], ["ping": true])
        let run = try closed.run()
        #expect(
            run.outcome == "failed"
                && run.diagnostics.contains { $0.contains("net.ipv4.ping_group_range") && !$0.contains("permissions.") },
            "\(run)")
    }

    @Test("executes a file with NET_RAW, which brings it to nobody; without the permission that is named")
    func fileWithCapability() throws {
        let folder = try TestSupport.Folder()
        let tool = folder.realPath + "/tool"
        try WrittenProgram.copy("/bin/grep", to: URL(filePath: tool))
        // struct vfs_cap_data: VFS_CAP_REVISION_2 with the effective bit, permitted 1 << 13
        let give = """
            import os, struct, sys
            os.setxattr(sys.argv[1], "security.capability", struct.pack("<5I", 0x2000001, 1 << 13, 0, 0, 0))
            """
        let given = try Command.run("python3", ["-c", give, tool])
        try #require(given.succeeded, "\(given)")
        let words = [tool, "-E", "^(Cap(Prm|Eff|Bnd)|NoNewPrivs)", "/proc/self/status"]

        let bench = try Bench(nil)
        try bench.add(words, ["ping": true])
        for run in try bench.runs() {
            let text = try bench.station.logs(run).text
            let lines = text.split(separator: "\n").map { $0.filter { !$0.isWhitespace } }
            let none = String(repeating: "0", count: 16)
            #expect(
                lines == ["CapPrm:\(none)", "CapEff:\(none)", "CapBnd:0000000000002000", "NoNewPrivs:1"],
                "\(run) \(text)")
        }
        let without = try Bench(nil)
        try without.add(words, [:])
        let run = try without.run()
        let denial =
            "denied: send ICMP echo requests, for which \(tool) has a capability; permissions.ping (derived from its calls)"
        #expect(run.outcome == "failed" && run.diagnostics.contains(denial), "\(run)")
    }

    @Test("is found by learning", arguments: SocketGrantTests.hosts)
    func learned(_ host: String?) throws {
        let bench = try Bench(host)
        try bench.add(["/bin/ping", "-c1", "-W9", "127.0.0.1"], nil)
        let command = try bench.station.start(
            ["learn", Self.task, "--json", "--yes", "--prove", "--manifests", bench.station.manifestFolder.path]
        ).finish(patience: .long)
        try #require(command.succeeded, "\(command)")
        struct Learned: Decodable {
            struct Line: Decodable { var permission, place: String }
            struct Fact: Decodable { var what: String }
            var lines: [Line]
            var obstacles, calls: [Fact]
            var permissions: [String: Bool]
            var proved: Bool?
        }
        let learned = try JSONDecoder().decode(Learned.self, from: Data(command.output.utf8))
        #expect(learned.lines.map(\.permission) == ["ping"] && learned.permissions == ["ping": true], "\(command)")
        #expect(learned.obstacles.isEmpty && learned.proved == true, "\(command)")
    }
}
