import Foundation
import Glibc
import TestSupport
import Testing

/// What confinement refuses a program is named, by its calls.
@Suite("A run whose refusals are told")
struct ExplainedRunTests {
    private static let task = "com.example.explained"
    private let folder: TestSupport.Folder
    private let path: String

    init() throws {
        folder = try TestSupport.Folder()
        path = folder.realPath
        try folder.write("data/open", "x")
        try folder.write("data/tool", "#!/bin/sh\n")
        try folder.write("free/old", "x")
        for (name, mode) in [
            ("", 0o755), ("data", 0o755), ("data/open", 0o644), ("data/tool", 0o755), ("free", 0o777),
            ("free/old", 0o666),
        ] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
        }
    }

    private func manifest(_ script: String, budget: [String: Any] = ["wallClock": "1m"], user: String?) -> ManifestText
    {
        var members: [String: Any] = [
            "identifier": Self.task, "enforcement": "bestEffort",
            "tasks": [
                Self.task: [
                    "kind": "processing", "handler": ["command": ["/bin/bash", "-c", script]], "budget": budget,
                ] as [String: Any]
            ],
        ]
        if let user { members["user"] = user }
        return ManifestText(members: members)
    }

    private func run(
        _ script: String, budget: [String: Any] = ["wallClock": "1m"], as host: String?
    ) throws -> RunDocument {
        let station = try Machine.isRoot && host != nil ? Station(user: Machine.nobody) : Station()
        try station.add(manifest(script, budget: budget, user: Machine.isRoot && host == nil ? "nobody" : nil))
        let run = try #require(try station.run(Self.task)[Self.task])
        station.expectNothingLeft()
        return try station.show(run)
    }

    @Test("names each with the permission that allows it, the weightiest first", arguments: SocketGrantTests.hosts)
    func named(_ host: String?) throws {
        let script = """
            exec 2>/dev/null
            cat \(path)/data/open; ls \(path)/data; \(path)/data/tool
            echo x > \(path)/free/old; echo x > \(path)/free/new; mv \(path)/free/old \(path)/free/other
            touch -d yesterday \(path)/free/old
            python3 -c 'import socket; socket.socket().connect(("127.0.0.1", 1))'
            cat /no-such-file \(path)/none; exit 3
            """
        let run = try run(script, as: host)
        #expect(run.outcome == "failed")
        let denials = run.diagnostics.filter { $0.hasPrefix("denied:") }.map { $0.replacing(path, with: "") }
        let expected = [
            "execute /data/tool; permissions.execute", "connect to the network; permissions.network",
            "write /free/old; permissions.write", "write /free, to create new in it; permissions.write",
            "read /data/open; permissions.read", "read /data; permissions.read",
        ].map { "denied: \($0) (derived from its calls)" }
        #expect(denials == expected, "\(run.diagnostics)")
    }

    @Test("names what is no file", arguments: SocketGrantTests.hosts)
    func others(_ host: String?) throws {
        let script = """
            exec 2>/dev/null
            python3 -c 'import socket; socket.socket().connect(("127.0.0.1", 1))'
            python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("/run/x")'
            python3 -c 'import os; os.setgroups([])'
            python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)'
            touch $TASKHOST_STATE/own; chmod u+s $TASKHOST_STATE/own; cat /etc/host.conf; mv $TASKHOST_STATE/own $TASKHOST_STATE/other
            false
            """
        let told = try run(script, as: host).diagnostics
        for part in [
            "connect to the network; permissions.network", "connect to a Unix socket; permissions.sockets",
            "setgroups; no permission allows it", "a UDP socket; no permission allows it",
        ] {
            #expect(told.contains("denied: \(part) (derived from its calls)"), "\(told)")
        }
        #expect(told.contains { $0.contains("/own; permissions.attributes") }, "\(told)")
        #expect(!told.contains { $0.contains("host.conf") || $0.contains("state") && $0.contains("write") }, "\(told)")
    }

    @Test("says nothing of one that succeeds quietly, and tells one that complains", arguments: SocketGrantTests.hosts)
    func quiet(_ host: String?) throws {
        #expect(try run("cat \(path)/data/open 2>/dev/null; exit 0", as: host).diagnostics.isEmpty)
        let told = try run("cat \(path)/data/open; exit 0", as: host).diagnostics
        #expect(told.contains("denied: read \(path)/data/open; permissions.read (derived from its calls)"), "\(told)")
    }

    @Test("names them of one that is killed at the end of its budget", arguments: SocketGrantTests.hosts)
    func killed(_ host: String?) throws {
        let script = "trap '' TERM; read x < \(path)/data/open; while :; do :; done"
        let run = try run(script, budget: ["wallClock": "2s", "grace": "1s"], as: host)
        #expect(run.outcome == "overran")
        let denial = "denied: read \(path)/data/open; permissions.read (derived from its calls)"
        #expect(run.diagnostics.contains(denial), "\(run.diagnostics)")
    }

    @Test("is the first of a manifest, and each after one that failed")
    func due() throws {
        let station = try Station()
        // The broker is the parent of an explained program.
        let script = "tr '\\0' ' ' < /proc/$PPID/cmdline; exit $(cat)"
        try station.add(manifest(script, user: nil))
        let daemon = try Daemon(station)
        func isExplained(status: Int) throws -> Bool {
            let report = try station.finish(
                try station.start(["run", Self.task, "--json", "--payload-text", "\(status)"], manifests: false))
            let run = try #require(report[Self.task])
            #expect(run.exitStatus == Int32(status))
            return try station.logs(run).text.contains("broker")
        }
        #expect(try isExplained(status: 0))
        #expect(try !isExplained(status: 0))
        #expect(try !isExplained(status: 3))
        #expect(try isExplained(status: 4))
        #expect(try isExplained(status: 0))
        #expect(try !isExplained(status: 0))
        try station.add(manifest(script + " ", user: nil))
        try daemon.tell("reload")
        #expect(try isExplained(status: 0))
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "is none where somebody else is told of the machine's calls, as a container's manager is, and runs all the same"
    )
    func container() throws {
        let station = try Station()
        try station.add(manifest("cat \(path)/data/open 2>/dev/null; tr '\\0' ' ' < /proc/$PPID/cmdline", user: nil))
        // SECCOMP_FILTER_FLAG_NEW_LISTENER, for acct(2) alone: the kernel gives a process no second listener.
        let code = """
            import ctypes, os, struct, sys
            libc = ctypes.CDLL(None, use_errno=True)
            code = b"".join(struct.pack("HBBI", *i) for i in [
                (0x20, 0, 0, 0), (0x15, 0, 1, 163), (6, 0, 0, 0x7fc00000), (6, 0, 0, 0x7fff0000)])
            text = ctypes.create_string_buffer(code)
            program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 4, ctypes.addressof(text)))
            assert libc.prctl(38, 1, 0, 0, 0) == 0
            listener = libc.syscall(317, 1, 8, program)
            assert listener >= 0, ctypes.get_errno()
            os.set_inheritable(listener, True)
            os.execv(sys.argv[1], sys.argv[1:])
            """
        station.starter = ["python3", "-c", code]
        let report = try station.run(Self.task)
        let run = try #require(report[Self.task], "\(report.command)")
        let text = try station.logs(run).text
        #expect(run.outcome == "succeeded" && !text.contains("broker"), "\(run) \(text)")
    }

    @Test("has no errors of its own: what is said of grants belongs to the launch")
    func notes() throws {
        let station = try Station()
        try station.add(
            ManifestText(members: [
                "identifier": Self.task, "enforcement": "bestEffort", "permissions": ["read": ["\(path)/absent"]],
                "tasks": [Self.task: ["kind": "processing", "handler": ["command": ["/bin/true"]]] as [String: Any]],
            ]))
        for _ in 0..<2 {
            let run = try #require(try station.run(Self.task)[Self.task])
            #expect(run.diagnostics.isEmpty, "\(run)")
            #expect(try station.logs(run).text.contains("no access was granted to \(path)/absent"), "\(run)")
        }
    }

    @Test("tells of its network what an ordinary run tells")
    func network() throws {
        let station = try Station()
        try station.add(
            ManifestText(members: [
                "identifier": Self.task, "enforcement": "bestEffort",
                "permissions": ["network": ["127.0.0.1:9", "10.0.0.1:*"]],
                "tasks": [Self.task: ["kind": "processing", "handler": ["command": ["/bin/true"]]] as [String: Any]],
            ]))
        let daemon = try Daemon(station)
        var told: [[String]] = []
        for _ in 0..<2 {
            let report = try station.finish(try station.start(["run", Self.task, "--json"], manifests: false))
            let run = try #require(report[Self.task])
            told.append(try station.show(run).degraded.sorted())
        }
        #expect(told[0] == told[1], "\(told)")
        #expect(try daemon.stop().status == 0)
    }
}
