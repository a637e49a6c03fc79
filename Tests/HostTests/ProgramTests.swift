import Foundation
import Glibc
import TestSupport
import Testing

/// Programs as handlers, end to end: as root, where each application has its own user, and as an ordinary user.
@Suite("A program as handler")
struct ProgramTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var script: String
        var outcome: String
        var exitStatus: Int32?
        var signal: Int32?
        var reason: String?
        /// A line that its output has.
        var line: String?
        var payload = ""
        var budget = ["wallClock": "30s", "grace": "10s"]
        var execute: [String] = []
    }

    static let short = ["wallClock": "2s", "grace": "1s"]
    static let rows = [
        Row(
            testDescription: "exit 0", script: "echo out; echo err >&2", outcome: "succeeded", exitStatus: 0,
            line: "err"),
        Row(testDescription: "another status", script: "exit 3", outcome: "failed", exitStatus: 3),
        Row(testDescription: "a signal", script: "kill -SEGV $$", outcome: "crashed", signal: 11),
        Row(testDescription: "75", script: "exit 75", outcome: "deferred"),
        Row(
            testDescription: "75 with a time", script: "echo DEFER=90s >&$TASKHOST_NOTIFY_FD; exit 75",
            outcome: "deferred"),
        Row(
            testDescription: "a report of success, which counts before the status",
            script: "echo COMPLETED=success >&$TASKHOST_NOTIFY_FD; exit 9", outcome: "succeeded"),
        Row(
            testDescription: "a report of failure", script: "echo COMPLETED=failure >&$TASKHOST_NOTIFY_FD",
            outcome: "failed"),
        Row(
            testDescription: "its payload and environment",
            script: "read word; echo $word $TASKHOST_TASK $TASKHOST_ATTEMPT ${#TASKHOST_RUN}", outcome: "succeeded",
            exitStatus: 0, line: "hello com.example.program.task 1 26", payload: "hello"),
        Row(
            testDescription: "a payload that is never read", script: "exit 0", outcome: "succeeded", exitStatus: 0,
            payload: String(repeating: "x", count: 100_000)),
        Row(
            testDescription: "the warning, handled", script: "trap 'echo warned; exit 0' TERM; while :; do :; done",
            outcome: "expired", exitStatus: 0, reason: "budget", line: "warned", budget: short),
        Row(
            testDescription: "the warning, not heard", script: "trap '' TERM; while :; do :; done", outcome: "overran",
            reason: "budget", budget: short),
        Row(
            testDescription: "no limits", script: "test -z \"$TASKHOST_DEADLINE\" && echo endless",
            outcome: "succeeded", exitStatus: 0, line: "endless",
            budget: ["wallClock": "none", "cpuTime": "none", "memory": "none", "disk": "none"]),
        Row(
            testDescription: "no program that it made",
            script:
                "cp /usr/bin/id $TASKHOST_STATE/own && chmod 700 $TASKHOST_STATE/own; $TASKHOST_STATE/own || echo refused",
            outcome: "succeeded", exitStatus: 0, line: "refused"),
        Row(
            testDescription: "the system's programs", script: "ls /usr/bin | grep -c '^id$' | /usr/bin/sed 's/1/one/'",
            outcome: "succeeded", exitStatus: 0, line: "one"),
        Row(
            testDescription: "a lower priority",
            script: "nice -n 19 ionice -c3 chrt -b 0 chrt -i 0 ionice -c2 -n7 echo ran",
            outcome: "succeeded", exitStatus: 0, line: "ran"),
        Row(
            testDescription: "no higher priority", script: "chrt -f 10 true || ionice -c1 true || echo refused",
            outcome: "succeeded", exitStatus: 0, line: "refused"),
        Row(
            testDescription: "timeout(1), which ends its child alone", script: "timeout 0.2 sleep 100; echo status $?",
            outcome: "succeeded", exitStatus: 0, line: "status 124"),
        Row(
            testDescription: "sessions",
            script:
                "setsid -w sh -c 'read -r pid name state parent group session rest </proc/$$/stat; test $session = $$ && echo own'",
            outcome: "succeeded", exitStatus: 0, line: "own"),
        Row(
            testDescription: "its streams by their names",
            script: "echo one >/dev/stderr; echo two >>/dev/stdout; echo three | tee /dev/stderr >/dev/null",
            outcome: "succeeded", exitStatus: 0, line: "three"),
        Row(
            testDescription: "the warning in a process group of its own",
            script: """
                setsid sh -c 'trap "echo warned; exit 0" TERM; while :; do :; done' & child=$!
                trap 'wait $child; exit 0' TERM; wait $child
                """, outcome: "expired", exitStatus: 0, reason: "budget", line: "warned", budget: short),
        Row(
            testDescription: "no file of others", script: "read line </etc/shadow || echo refused",
            outcome: "succeeded",
            exitStatus: 0, line: "refused"),
        Row(
            testDescription: "its own folder",
            script: "echo kept >$TASKHOST_STATE/file && read line <$TASKHOST_STATE/file; echo $line",
            outcome: "succeeded", exitStatus: 0, line: "kept"),
    ]

    private static func manifest(_ handler: [String: Any], _ row: Row) -> ManifestText {
        ManifestText(members: [
            "identifier": "com.example.program",
            "tasks": [
                "com.example.program.task": [
                    "kind": "processing", "handler": handler, "budget": row.budget,
                    "retry": ["attempts": 1, "backoff": "1m"],
                ] as [String: Any]
            ],
            "permissions": ["execute": row.execute],
        ])
    }

    private func check(_ row: Row, user: UInt32?) throws {
        let station = try Station(user: user)
        let task = try station.add(Self.manifest(["command": ["/bin/sh", "-c", row.script]], row)).tasks[0]
        let report = try station.run(task, "--payload-text", row.payload)
        let run = try #require(report[task], "\(report.command)")
        #expect(run.outcome == row.outcome, "\(run)")
        #expect(run.exitStatus == row.exitStatus)
        #expect(run.signal == row.signal)
        #expect(run.reason == row.reason)
        if let line = row.line {
            let lines = try station.logLines(run)
            #expect(lines.contains(line), "\(lines)")
        }
        station.expectNothingLeft()
    }

    @Test("that succeeds and complains is marked, as cron would mail it; one that fails needs no mark")
    func complains() throws {
        let station = try Station()
        let mark = "it succeeded, and wrote to its standard error"
        for (script, isMarked) in [("echo err >&2", true), ("echo out", false), ("echo err >&2; exit 1", false)] {
            let row = Row(testDescription: script, script: script, outcome: "")
            let task = try station.add(Self.manifest(["command": ["/bin/sh", "-c", script]], row)).tasks[0]
            _ = try station.run(task)
            let run = try station.show(try #require(try station.history().last))
            #expect(run.diagnostics.contains(mark) == isMarked, "\(script): \(run.diagnostics)")
        }
    }

    @Test(
        "below a folder that is closed to its user is refused with that folder's name, and what to do",
        .enabled(if: Machine.isRoot, "only root's workers have users of their own"))
    func closed() throws {
        let station = try Station()
        let script = try station.folder.write("private/job.sh", "#!/bin/sh\nexit 0\n")
        #expect(chmod(script.path, 0o755) == 0)
        let folder = script.deletingLastPathComponent()
        #expect(chmod(folder.path, 0o700) == 0)
        var row = Row(testDescription: "", script: "", outcome: "")
        row.execute += [folder.path]
        let task = try station.add(Self.manifest(["command": [script.path]], row)).tasks[0]
        let run = try #require(try station.run(task)[task])
        #expect(run.outcome == "refused")
        let text = run.diagnostics.joined()
        #expect(
            text.contains("\(folder.path) is closed to others") && text.contains("chmod o+x \(folder.path)"), "\(text)")
    }

    @Test("has the variables of its manifest and of files, which no shell reads")
    func environment() throws {
        let station = try Station()
        let file = try station.folder.write(
            "job.env", "; first\nPW=pa$$w\nTICK=`echo hi`\nBOTH=file\nTASKHOST_TASK=mine\n"
        ).path
        let script = #"echo "$PW|$TICK|$BOTH|$ONLY|$HOME|$TASKHOST_TASK""#
        func manifest(_ files: [String]) -> ManifestText {
            let handler: [String: Any] = [
                "command": ["/bin/sh", "-c", script], "environmentFiles": files,
                "environment": ["BOTH": "manifest", "ONLY": "a  b", "HOME": "/home/x"],
            ]
            return ManifestText(members: [
                "identifier": "com.example.program",
                "tasks": ["com.example.program.task": ["kind": "processing", "handler": handler] as [String: Any]],
            ])
        }
        let task = try station.add(manifest([file, "-" + file + ".local"])).tasks[0]
        let run = try #require(try station.run(task)[task])
        let text = try station.logs(run).text
        #expect(
            run.outcome == "succeeded" && text == "pa$$w|`echo hi`|file|a  b|/home/x|com.example.program.task\n",
            "\(text)")
        try station.add(manifest([file + ".local"]))
        let missing = try #require(try station.run(task)[task])
        #expect(
            missing.outcome == "refused" && missing.diagnostics.contains { $0.contains(".local: No such file") },
            "\(missing)")
        station.expectNothingLeft()
    }

    @Test("ends its run as it ends", arguments: rows)
    func ends(_ row: Row) throws { try check(row, user: nil) }

    @Test(
        "does so under a host of an ordinary user", .enabled(if: Machine.isRoot, "only root can become another user"),
        arguments: rows.filter { $0.signal == nil })
    func endsForUsers(_ row: Row) throws { try check(row, user: Machine.nobody) }

    @Test("is a script as well, whose interpreter env looks for")
    func scripts() throws {
        let station = try Station()
        let row = Row(testDescription: "", script: "", outcome: "succeeded")
        try station.folder.writeProgram("manifests/hello", "#!/usr/bin/env sh\necho from $0 $1\n")
        let manifest = Self.manifest(["command": ["$MANIFEST/hello", "a b"]], row)
            .with("permissions", ["read": ["$MANIFEST"]])
        let task = try station.add(manifest).tasks[0]
        let run = try #require(try station.run(task)[task])
        #expect(run.outcome == "succeeded", "\(run)")
        #expect(try station.logs(run).text.hasSuffix("manifests/hello a b\n"))
    }

    @Test("is told what its confinement may have refused it, where its calls are not heard")
    func denied() throws {
        let station = try Station()
        // A broker would take too much of that memory.
        let row = Row(testDescription: "", script: "", outcome: "failed", budget: ["memory": "32MiB"])
        try station.folder.write("secret", "x")
        let secret = station.folder.file("secret").path
        let task = try station.add(Self.manifest(["command": ["/bin/sh", "-c", "cat \(secret)"]], row)).tasks[0]
        let run = try #require(try station.run(task)[task])
        let told = run.diagnostics.joined()
        #expect(run.outcome == "failed" && told.contains("denied: read \(secret); permissions.read (guessed"), "\(run)")
    }

    @Test("may execute the programs beside it, and read nothing else there")
    func neighbours() throws {
        let station = try Station()
        let row = Row(testDescription: "", script: "", outcome: "succeeded")
        let script = "#!/bin/sh\nfolder=$(dirname $0)\n$folder/helper\nread line <$folder/data || echo unread\n"
        try station.folder.write("programs/data", "x")
        try station.folder.writeProgram("programs/helper", "#!/bin/sh\necho helped\n")
        let program = try station.folder.writeProgram("programs/main", script).path
        let task = try station.add(Self.manifest(["command": [program]], row)).tasks[0]
        let run = try #require(try station.run(task)[task])
        let lines = try station.logLines(run)
        #expect(run.outcome == "succeeded" && lines.contains("helped") && lines.contains("unread"), "\(run) \(lines)")
    }

    @Test("leaves children behind, which are killed and named")
    func children() throws {
        let station = try Station()
        var row = Row(testDescription: "", script: "", outcome: "succeeded")
        row.execute = ["/usr/bin/sleep"]
        let script = "/usr/bin/sleep 1000 & echo started"
        let task = try station.add(Self.manifest(["command": ["/bin/sh", "-c", script]], row)).tasks[0]
        let run = try #require(try station.run(task)[task])
        #expect(run.outcome == "succeeded", "\(run)")
        #expect(run.diagnostics.contains { $0.contains("sleep") }, "\(run.diagnostics)")
        station.expectNothingLeft()
    }

    @Test(
        "that cannot be started is refused with the reason",
        arguments: [
            ("/usr/bin/not-there", "which is not there"), ("/etc/passwd", "which nobody may execute"),
            ("/usr/bin", "which cannot be read"),
        ])
    func absent(_ path: String, _ words: String) throws {
        let station = try Station()
        let row = Row(testDescription: "", script: "", outcome: "")
        let task = try station.add(Self.manifest(["command": [path]], row)).tasks[0]
        let command = try station.run(task).command
        #expect(command.status == 65)
        #expect(command.errors.contains(words), "\(command)")
    }
}
