import Host
import TaskModel
import Testing

@Suite("What a program says it was refused")
struct GuessedDenialTests {
    @Test(
        "is named with the permission that would grant it",
        arguments: [
            ("/bin/sh: 1: /srv/bin/x: Permission denied\n", 126, GuessedDenial(.execute, "/srv/bin/x")),
            ("/bin/sh: 1: cannot open /etc/shadow: Permission denied\n", 2, .init(.read, "/etc/shadow")),
            ("sh: 2: cannot create /srv/out: Permission denied\n", 2, .init(.write, "/srv/out")),
            ("ls: cannot open directory '/root': Permission denied\n", 2, .init(.read, "/root")),
            ("touch: cannot touch '/srv/x': Permission denied\n", 1, .init(.write, "/srv/x")),
            ("mkdir: cannot create directory ‘/srv/y’: Permission denied", 1, .init(.write, "/srv/y")),
            ("PermissionError: [Errno 13] Permission denied: '/srv/data'\n", 1, .init(.read, "/srv/data")),
            ("rsync: permission denied\nit failed\n", 23, nil), ("Permission denied\n", 1, nil),
            ("x: relative/path: Permission denied\n", 1, nil),
        ] as [(String, Int32, GuessedDenial?)])
    func one(_ errors: String, _ status: Int32, _ expected: GuessedDenial?) {
        let found = GuessedDenial.all(in: errors, exitStatus: status)
        #expect(found == (expected.map { [$0] } ?? []))
    }

    @Test("is named once, the last ones of many, in any bytes")
    func many() {
        let lines = (0..<100).map { "cat: /x\($0): Permission denied" }
        let text = (lines + lines.suffix(2)).joined(separator: "\n")
        #expect(GuessedDenial.all(in: text, exitStatus: nil).map(\.path) == ["/x96", "/x97", "/x98", "/x99"])
        #expect(
            GuessedDenial.all(in: String(repeating: "/", count: 9000) + ": Permission denied", exitStatus: 1).isEmpty)
    }

    @Test("is not named where a grant covers it")
    func covered() {
        let permissions = Permissions(read: ["/etc"], write: ["/srv"], execute: ["/opt/bin"])
        #expect(permissions.covers(GuessedDenial(.read, "/etc/shadow")) && permissions.covers(.init(.read, "/srv/x")))
        #expect(permissions.covers(.init(.execute, "/opt/bin/x")) && !permissions.covers(.init(.execute, "/etc/x")))
        #expect(!permissions.covers(.init(.write, "/etc/x")) && !permissions.covers(.init(.read, "/etcetera")))
        #expect(Permissions(read: ["/"]).covers(.init(.read, "/root/x")))
    }
}
