import Foundation
import Host
import TaskModel
import TestSupport
import Testing

@Suite("What a program says it was refused")
struct GuessedDenialTests {
    @Test(
        "is named with the permission that would grant it",
        arguments: [
            ("/bin/sh: 1: /srv/bin/x: Permission denied\n", 126, Denial(.execute, "/srv/bin/x", .guessed)),
            ("/bin/sh: 1: cannot open /etc/shadow: Permission denied\n", 2, Denial(.read, "/etc/shadow", .guessed)),
            ("sh: 2: cannot create /srv/out: Permission denied\n", 2, Denial(.write, "/srv/out", .guessed)),
            ("ls: cannot open directory '/root': Permission denied\n", 2, Denial(.read, "/root", .guessed)),
            ("touch: cannot touch '/srv/x': Permission denied\n", 1, Denial(.write, "/srv/x", .guessed)),
            ("mkdir: cannot create directory ‘/srv/y’: Permission denied", 1, Denial(.write, "/srv/y", .guessed)),
            ("PermissionError: [Errno 13] Permission denied: '/srv/data'\n", 1, Denial(.read, "/srv/data", .guessed)),
            ("rsync: permission denied\nit failed\n", 23, nil), ("Permission denied\n", 1, nil),
            ("x: relative/path: Permission denied\n", 1, nil),
        ] as [(String, Int32, Denial?)])
    func one(_ errors: String, _ status: Int32, _ expected: Denial?) {
        let found = GuessedDenial.all(in: errors, exitStatus: status)
        #expect(found == (expected.map { [$0] } ?? []))
    }

    @Test("is named once, the last ones of many, in any bytes")
    func many() {
        let lines = (0..<100).map { "cat: /x\($0): Permission denied" }
        let text = (lines + lines.suffix(2)).joined(separator: "\n")
        #expect(GuessedDenial.all(in: text, exitStatus: nil).map(\.place) == ["/x96", "/x97", "/x98", "/x99"])
        #expect(
            GuessedDenial.all(in: String(repeating: "/", count: 9000) + ": Permission denied", exitStatus: 1).isEmpty)
    }

    @Test("is not named where a grant covers it")
    func covered() {
        let permissions = Permissions(read: ["/etc"], write: ["/srv"], execute: ["/opt/bin"])
        #expect(
            permissions.covers(Denial(.read, "/etc/shadow", .guessed))
                && permissions.covers(Denial(.read, "/srv/x", .guessed)))
        #expect(
            permissions.covers(Denial(.execute, "/opt/bin/x", .guessed))
                && !permissions.covers(Denial(.execute, "/etc/x", .guessed)))
        #expect(
            !permissions.covers(Denial(.write, "/etc/x", .guessed))
                && !permissions.covers(Denial(.read, "/etcetera", .guessed)))
        #expect(Permissions(read: ["/"]).covers(Denial(.read, "/root/x", .guessed)))
    }

    @Test("is one of ownership where a grant covers it", arguments: SocketGrantTests.hosts)
    func ownership(_ host: String?) throws {
        let folder = try TestSupport.Folder()
        let path = folder.realPath
        try folder.write("closed", "x")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(path)/closed")
        let station = try Machine.isRoot && host != nil ? Station(user: Machine.nobody) : Station()
        let task = "com.example.ownership"
        try station.add(
            ManifestText(members: [
                "identifier": task, "enforcement": "bestEffort", "permissions": ["read": [path]],
                "tasks": [
                    task: [
                        "kind": "processing",
                        "handler": ["command": ["/bin/sh", "-c", "cat \(path)/closed; cat \(path)/none; exit 3"]],
                    ] as [String: Any]
                ],
            ]))
        let run = try #require(try station.run(task)[task])
        let denials = run.diagnostics.filter { $0.hasPrefix("denied: ") }
        let start =
            "denied: read \(path)/closed; a grant covers it, but its owner or mode, or that of a folder above it, keeps the user "
        #expect(denials.count == 1 && denials[0].hasPrefix(start), "\(run)")
        #expect(denials.first?.hasSuffix("\"user\" (guessed from what it printed)") == true, "\(run)")
        station.expectNothingLeft()
    }

    @Test("names the capability that root lacks")
    func capabilities() {
        let errors = """
            chown: changing ownership of '/srv/a': Operation not permitted
            kill: (1) - Operation not permitted
            """
        #expect(GuessedDenial.capabilities(in: errors) == [.chown])
        let mode = "tar: x: Cannot change mode to rwxr-xr-x: Operation not permitted"
        #expect(GuessedDenial.capabilities(in: errors + "\n" + mode) == [.chown, .fowner])
        #expect(GuessedDenial.capabilities(in: "chown: cannot access 'x': No such file or directory").isEmpty)
    }

    @Test("names what confined root lacks by a capability", .enabled(if: Machine.isRoot, "it is about root"))
    func root() throws {
        let folder = try TestSupport.Folder()
        let path = folder.realPath
        try folder.write("closed", "x")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0, .ownerAccountID: 7], ofItemAtPath: "\(path)/closed")
        let station = try Station()
        let task = "com.example.roots"
        try station.configure("rootApplications", [task])
        try station.add(
            ManifestText(members: [
                "identifier": task, "user": "root", "enforcement": "bestEffort",
                "permissions": ["write": [path], "attributes": true] as [String: Any],
                "tasks": [
                    task: [
                        "kind": "processing",
                        "handler": [
                            "command": ["/bin/sh", "-c", "cat \(path)/closed; chown 8 \(path)/closed; exit 3"]
                        ],
                    ] as [String: Any]
                ],
            ]))
        let run = try #require(try station.run(task)[task])
        let text = run.diagnostics.joined(separator: "\n")
        #expect(
            text.contains("keeps the user root out: grant \"capabilities\": [\"dac_read_search\"] (guessed"), "\(run)")
        #expect(text.contains("denied: change the owner of a file; permissions.capabilities, chown (guessed"), "\(run)")
        station.expectNothingLeft()
    }
}
