import Foundation
import Glibc
import Testing

/// One line, without a manifest.
@Suite("taskhost run -- COMMAND")
struct CommandRunTests {
    private func run(_ line: String, in folder: Folder, environment: [String: String] = [:]) throws -> Tool {
        try Tool.shell(line, in: folder, environment: ["state": folder.path + "/state"].merging(environment) { $1 })
    }

    private func history(_ folder: Folder) throws -> [[String: Any]] {
        let tool = try Tool.run("history", "--json", "--state", folder.path + "/state")
        return try #require(try tool.document["runs"] as? [[String: Any]], "\(tool)")
    }

    @Test("keeps folder, variables, input and umask of its shell; its output passes unchanged, and nothing else comes")
    func passes() throws {
        let folder = try Folder()
        let script = #"pwd; echo $OWN; umask; cat; head -c 100000 /dev/zero; echo err >&2"#
        let tool = try run(
            "umask 027; printf 'one\\ntwo' | \"$taskhost\" run --state \"$state\" -- sh -c '\(script)'", in: folder,
            environment: ["OWN": "mine"])
        let real = URL(filePath: folder.path).resolvingSymlinksInPath().path
        #expect(
            tool.output == "\(real)\nmine\n0027\none\ntwo" + String(repeating: "\0", count: 100_000), "\(tool.errors)")
        #expect(tool.status == 0 && tool.errors == "err\n", "\(tool.errors)")
        let run = try #require(try history(folder).first)
        #expect(run["identifier"] as? String == "local.sh" && run["outcome"] as? String == "succeeded")
    }

    @Test("ends by the table of outcomes, within the budget that is given")
    func ends() throws {
        let folder = try Folder()
        let cases: [(words: String, status: Int32, outcome: String)] = [
            ("--as nightly -- false", 1, "failed"), ("-- sh -c 'kill -SEGV $$'", 14, "crashed"),
            ("--wall 1s -- sleep 1000", 10, "expired"),
            ("--wall 1s -- sh -c 'trap \"\" TERM; while :; do :; done'", 11, "overran"),
        ]
        for (words, status, outcome) in cases {
            let tool = try run("\"$taskhost\" run --state \"$state\" \(words)", in: folder)
            #expect(tool.status == status && tool.output.isEmpty, "\(words): \(tool)")
            #expect(try history(folder).first?["outcome"] as? String == outcome, "\(words)")
        }
        #expect(try history(folder).last?["identifier"] as? String == "local.nightly")
    }

    @Test("has the number of a try that something else repeats, in its variables and in the record")
    func attempts() throws {
        let folder = try Folder()
        let tool = try run(
            "\"$taskhost\" run --state \"$state\" --attempt 3 -- sh -c 'echo $TASKHOST_ATTEMPT'", in: folder)
        #expect(tool.status == 0 && tool.output == "3\n", "\(tool)")
        #expect(try history(folder).first?["attempt"] as? Int == 3)
    }

    @Test("names the program that was meant when there is none, and runs nothing of the folder by its bare name")
    func missing() throws {
        let folder = try Folder()
        try folder.writeProgram("slep", "#!/bin/sh\necho ran\n")
        let tool = try run("\"$taskhost\" run --state \"$state\" -- slep 1", in: folder)
        #expect(tool.status == 17 && tool.output.isEmpty, "\(tool)")
        #expect(tool.errors.contains("slep was refused; slep could not be started: No such file"), "\(tool)")
        #expect(tool.errors.contains("did you mean sleep?"), "\(tool)")
        #expect(try history(folder).first?["exitStatus"] as? Int == 127)
        let own = try run("\"$taskhost\" run --state \"$state\" -- ./slep", in: folder)
        #expect(own.status == 0 && own.output == "ran\n", "\(own)")
        let nothing = try run("\"$taskhost\" run --state \"$state\" --", in: folder)
        #expect(nothing.status == 64 && nothing.errors.contains("no command behind --"), "\(nothing)")
    }

    @Test("starts what has a name for once at most once")
    func once() throws {
        let folder = try Folder()
        for _ in 1...2 {
            let tool = try run("\"$taskhost\" run --state \"$state\" --once setup -- sh -c 'echo x >>log'", in: folder)
            #expect(tool.status == 0, "\(tool)")
        }
        #expect(try String(contentsOf: folder.file("log"), encoding: .utf8) == "x\n")
        #expect(try history(folder).count == 1)
    }

    @Test("is remembered by the daemon of the folder, which starts what is for once no second time")
    func served() throws {
        let folder = try Plugin.folder()
        let host = try BackgroundTool([
            "serve", "--manifests", folder.file("m").path, "--state", folder.file("state").path,
        ])
        #expect(host.waitFor("taskhost: serving "))
        let tool = try run("\"$taskhost\" run --json --state \"$state\" --as nightly -- sh -c 'exit 3'", in: folder)
        #expect(tool.status == 1, "\(tool)")
        let once = "\"$taskhost\" run --state \"$state\" --once setup -- sh -c 'echo x >>log'"
        for _ in 1...2 { #expect(try run(once, in: folder).status == 0) }
        let runs = try history(folder)
        #expect(runs.map { $0["identifier"] as? String } == ["local.setup", "local.nightly"], "\(runs)")
        #expect(runs.last?["exitStatus"] as? Int == 3 && runs.last?["outcome"] as? String == "failed", "\(runs)")
        let id = try #require(runs.last?["run"] as? String)
        #expect(try Tool.run("show", id, "--state", folder.path + "/state").output.contains("exit status  3"))
        #expect(host.end(SIGTERM) == 0)
        // Another record than that of the command's own host.
        #expect(try run(once, in: folder).status == 0)
        #expect(try String(contentsOf: folder.file("log"), encoding: .utf8) == "x\n")
    }

    @Test("runs beside other commands, in a record of its own then")
    func together() throws {
        let folder = try Folder()
        // Each waits for the other: they run at the same time.
        let line =
            "mkfifo a b; \"$taskhost\" run --state \"$state\" -- sh -c 'echo >a; read x <b; echo one' & "
            + "\"$taskhost\" run --state \"$state\" -- sh -c 'read x <a; echo >b; echo two'; wait"
        let tool = try run(line, in: folder)
        #expect(tool.status == 0 && Set(tool.output.split(separator: "\n")) == ["one", "two"], "\(tool)")
        let records = ["state", "state-private/commands"].map { folder.path + "/" + $0 }
        let counts = try records.map { record in
            try #require(try Tool.run("history", "--json", "--state", record).document["runs"] as? [Any]).count
        }
        #expect(counts == [1, 1])
    }

    @Test("is confined when asked, to what it may read and the folders that it may write")
    func confined() throws {
        let folder = try Folder()
        try folder.makeFolder("open")
        try folder.setMode(0o777, of: "open")
        let script = "echo x >open/file && echo written; echo x >closed || echo refused"
        let tool = try run(
            "\"$taskhost\" run --state \"$state\" --confine --write open -- sh -c '\(script)'", in: folder)
        #expect(tool.output == "written\nrefused\n", "\(tool)")
        let odd = try run("\"$taskhost\" run --state \"$state\" --write open -- true", in: folder)
        #expect(odd.status == 64 && odd.errors.contains("add --confine"), "\(odd)")
    }

    @Test("becomes a manifest, which is checked and runs as the command does")
    func added() throws {
        let folder = try Folder()
        let add = "\"$taskhost\" add nightly --calendar '30 2 * * *' --wall 10m --memory 64MiB --directory manifests"
        let tool = try run("umask 022; \(add) -- sh -c 'pwd; echo \"$0\"' \"it's\"", in: folder)
        #expect(tool.status == 0 && tool.output.contains("taskhost run local.nightly"), "\(tool)")
        let list = try Tool.run("run", "local.nightly", "--manifests", "manifests", "--state", "state", in: folder)
        let real = URL(filePath: folder.path).resolvingSymlinksInPath().path
        #expect(list.status == 0 && list.errors.contains("\(real)\nit's\n"), "\(list)")
        let text = try String(contentsOf: folder.file("manifests/local.nightly.json"), encoding: .utf8)
        for part in [
            #""calendar": "30 2 * * *""#, #""wallClock": "10m""#, #""memory": "64MiB""#, #""cpuTime": "none""#,
        ] {
            #expect(text.contains(part), "\(text)")
        }
        let again = try run("\(add) -- true", in: folder)
        #expect(again.status == 73 && again.errors.contains("--force"), "\(again)")
        let bad = try run("\"$taskhost\" add odd --calendar '99 * * * *' --directory other -- true", in: folder)
        #expect(bad.status == 65, "\(bad)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("other/local.odd.json").path))
        let printed = try run("\"$taskhost\" run --as nightly --print-manifest -- true", in: folder)
        #expect(printed.status == 0 && printed.output.contains(#""identifier": "local.nightly""#), "\(printed)")
    }
}
