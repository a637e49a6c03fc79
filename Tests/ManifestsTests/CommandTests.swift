import Manifests
import TaskModel
import Testing

@Suite("Programs in manifests")
struct CommandTests {
    static let faults = FaultCase.parse(
        #"""
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": []}}}}
        = $.tasks["a.b.t"].handler.command: found an empty array; expected the path of a program, and its arguments
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": "ls"}}}}
        = $.tasks["a.b.t"].handler.command: found "ls"; expected an array of texts, the path of a program, and its arguments
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["ls"]}}}}
        = $.tasks["a.b.t"].handler.command[0]: found "ls"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; write "$MANIFEST/…" for a path beside the manifest
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls", 1]}}}}
        = $.tasks["a.b.t"].handler.command[1]: found the number 1; expected a text without NUL, of at most 16384 bytes
        R {"identifier": "a.b", "isolation": "exec", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}}
        = $.isolation: found "exec"; expected "run", or no "isolation", with programs; each run of a program has a process of its own
        R {"identifier": "a.b", "library": "l.so", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}}
        = $.tasks["a.b.t"].handler: found an object; expected no "command" beside a "library"; give the programs a manifest of their own: what they may execute, a library may not
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"], "environment": {"1": "x", "A": 1, "TASKHOST_A": "x"}, "environmentFiles": ["-rel", 1]}}}}
        = $.tasks["a.b.t"].handler.environment["1"]: found the name "1"; expected a name of letters, digits and "_", which does not begin with "TASKHOST_"
        = $.tasks["a.b.t"].handler.environment.A: found the number 1; expected a text without NUL, of at most 16384 bytes
        = $.tasks["a.b.t"].handler.environment["TASKHOST_A"]: found the name "TASKHOST_A"; expected a name of letters, digits and "_", which does not begin with "TASKHOST_"
        = $.tasks["a.b.t"].handler.environmentFiles[0]: found "-rel"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; write "$MANIFEST/…" for a path beside the manifest
        = $.tasks["a.b.t"].handler.environmentFiles[1]: found the number 1; expected the path of a file, with "-" before it if it may be missing
        R {"identifier": "a.b", "confinement": "none", "library": "l.so", "tasks": {"a.b.t": {"kind": "processing", "handler": "f"}}}
        = $.confinement: found "none"; expected "full" but for programs, each with a "command"; give the programs a manifest of their own
        R {"identifier": "a.b", "confinement": "half", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"], "workingDirectory": "x"}}}}
        = $.confinement: found "half"; expected one of "full", "none"
        = $.tasks["a.b.t"].handler.workingDirectory: found "x"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; write "$MANIFEST/…" for a path beside the manifest
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}, "permissions": {"sockets": ["x"]}}
        = $.permissions.sockets[0]: found "x"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; write "$MANIFEST/…" for a path beside the manifest
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}, "permissions": {"sockets": ["/x"], "network": ["a.b:1"]}}
        = $.permissions.sockets: found both; expected no "sockets" beside "network"; one of them holds connections by their addresses, the other by who makes them; use two manifests
        R {"identifier": "a.b", "library": "l.so", "tasks": {"a.b.t": {"kind": "processing", "handler": "f"}}, "permissions": {"sockets": ["/x"]}}
        = $.permissions: found "sockets" for other handlers; expected "sockets" for programs alone; give the programs a manifest of their own: a broker makes their connections
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}, "permissions": {"ping": true, "network": ["a.b:1"]}}
        = $.permissions.ping: found both; expected no "ping" beside "network"; one of them holds connections by their addresses, the other has none; use two manifests
        R {"identifier": "a.b", "library": "l.so", "tasks": {"a.b.t": {"kind": "processing", "handler": "f"}}, "permissions": {"ping": true}}
        = $.permissions: found "ping" for other handlers; expected "ping" for programs alone; give the programs a manifest of their own: a broker makes their connections
        R {"identifier": "a.b", "user": "root", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}, "permissions": {"ping": true, "capabilities": ["chown"]}}
        = $.permissions.ping: found both; expected no "ping" beside "capabilities"; ping(8) may be a file with a capability of its own, which root's programs must not have; use two manifests
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}, "permissions": {"ping": "yes"}}
        = $.permissions.ping: found "yes"; expected true or false
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}, "permissions": {"capabilities": ["chown"]}}
        = $.permissions: found another user; expected "user": "root" and programs alone with "capabilities"; take the capabilities out, or give root's programs a manifest of their own
        R {"identifier": "a.b", "user": "root", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}}}, "permissions": {"capabilities": ["sys_admin"]}}
        = $.permissions.capabilities[0]: found "sys_admin"; expected one of "chown", "dac_override", "dac_read_search", "fowner", "kill", "setgid", "setuid"
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"], "umask": "8"}}}}
        = $.tasks["a.b.t"].handler.umask: found "8"; expected three octal digits, such as "022"
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"], "umask": 18}, "learned": {"at": "now", "programs": {"/bin/ls": "0a"}}}}}
        = $.tasks["a.b.t"].handler.umask: found the number 18; expected three octal digits, such as "022"
        = $.tasks["a.b.t"].learned.at: found "now"; expected a date such as 2026-01-31T12:00:00Z
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"], "umask": "+22"}, "learned": {"landlock": 7}}}}
        = $.tasks["a.b.t"].handler.umask: found "+22"; expected three octal digits, such as "022"
        = $.tasks["a.b.t"].learned.at: found nothing; expected a date such as 2026-01-31T12:00:00Z; add "at"
        R {"identifier": "a.b", "tasks": {"a.b.t": {"kind": "processing", "handler": {"command": ["/bin/ls"]}, "learned": {"at": "2026-01-31T12:00:00Z", "programs": {"ls": "0a"}}}}}
        = $.tasks["a.b.t"].learned.programs.ls: found "0a"; expected an absolute path with a SHA-256, 64 hexadecimal digits
        """#)

    @Test("are refused with the reason", arguments: faults)
    func refused(_ fault: FaultCase) {
        #expect(ManifestText.messages(fault.manifest) == fault.messages)
    }

    @Test("are read with every argument as it stands, and have a process for each run")
    func whole() throws {
        let result = ManifestText.decode(
            #"{"identifier":"a.b","tasks":{"a.b.t":{"kind":"processing","handler":{"command":["$MANIFEST/x","","a\nb","$STATE/y"]}}},"#
                + #""permissions":{"execute":["/usr/bin","$MANIFEST"]}}"#)
        #expect(result.diagnostics == [])
        let application = try #require(result.application)
        #expect(application.tasks.map(\.handler) == [.command(["$MANIFEST/x", "", "a\nb", "$STATE/y"])])
        #expect(application.permissions.execute == ["/usr/bin", "$MANIFEST"])
        #expect(application.isolation == .run && application.runsPrograms)
    }

    @Test("may be without confinement, and then need no permissions")
    func unconfined() throws {
        let result = ManifestText.decode(
            #"{"identifier":"a.b","confinement":"none","tasks":{"a.b.t":{"kind":"processing","handler":{"command":["/bin/x"],"#
                + #""workingDirectory":"/srv"}}},"permissions":{"write":["/"]}}"#)
        #expect(
            result.diagnostics.map { "\($0.severity) \($0.path)" } == ["warning $.permissions"], "\(result.diagnostics)"
        )
        let application = try #require(result.application)
        #expect(application.confinement == .unconfined && application.permissions == Permissions())
        #expect(application.tasks.map(\.handler) == [.command(ProgramCommand(["/bin/x"], workingDirectory: "/srv"))])
    }

    @Test("have the umask and the mark of what was learned")
    func learned() throws {
        let digest = String(repeating: "0a", count: 32)
        let result = ManifestDecoder.decode(
            bytes: Array(
                (#"{"identifier":"a.b","tasks":{"a.b.t":{"kind":"processing","handler":{"command":["/bin/x"],"umask":"0027"},"#
                    + #""learned":{"at":"2026-01-31T12:00:00Z","landlock":7,"programs":{"/bin/x":"\#(digest)"}}}}}"#)
                    .utf8),
            path: "m", folder: "/", profile: .modern)
        let task = try #require(result.application?.tasks.first, "\(result.diagnostics)")
        #expect(task.handler == .command(ProgramCommand(["/bin/x"], fileModeMask: 0o027)))
        #expect(task.learned?.landlock == 7 && task.learned?.programs.first?.path == "/bin/x")
        #expect(task.learned?.programs.first?.digest == [UInt8](repeating: 10, count: 32))
    }

    @Test("may be without any limit, which declares none that a machine has to enforce")
    func endless() throws {
        func budget(_ text: String) throws -> Budget {
            let result = ManifestText.decode(
                #"{"identifier":"a.b","tasks":{"a.b.t":{"kind":"processing","handler":{"command":["/bin/x"]},"budget":"#
                    + text + "}}}")
            #expect(result.diagnostics == [])
            return try #require(result.application).tasks[0].budget
        }
        let none = try budget(#"{"wallClock": "none", "cpuTime": "none", "memory": "none", "disk": "none"}"#)
        #expect(none.wallClock == .unlimited && none.cpuTime == nil && !none.isMonitored)
        #expect(none.memory == .unlimited && none.disk == .unlimited && none.grace == .seconds(5))
        #expect(none.declared == [.wallClock, .cpuTime, .memory, .disk] && none.declaredLimits == [])
        let some = try budget(#"{"memory": "64MiB", "disk": "none"}"#)
        #expect(some.isMonitored && some.memory == .mebibytes(64) && some.declaredLimits == [.memory])
    }
}
