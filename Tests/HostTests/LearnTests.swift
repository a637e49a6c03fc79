import Foundation
import Glibc
import TestSupport
import Testing

/// Permissions that are found by watching, for an ordinary user and for a user whom a root host becomes.
@Suite("taskhost learn")
struct LearnTests {
    private struct Line: Decodable {
        var permission: String
        var place: String
        var why: String
        var runs: Int
        var needed: String?
    }

    private struct Fact: Decodable {
        var what: String
        var why: String
    }

    private struct Learned: Decodable {
        var lines: [Line]
        var apart: [Line]
        var obstacles: [Fact]
        var calls: [Fact]
        var unseen: [String]
        var unneeded: [Line]
        var proved: Bool?
        var difference: String?
        var manifest: String?

        var words: [String] { lines.map { "\($0.permission) \($0.place)" } }
    }

    private static let task = "com.example.learned"

    /// A folder that the task's user may write, with a host of an ordinary user, or of root for that user.
    private final class Bench {
        let station: Station
        let folder: TestSupport.Folder
        /// Without links.
        let path: String
        private let user: String?

        init(_ host: String?) throws {
            folder = try TestSupport.Folder()
            path = folder.realPath
            guard Machine.isRoot else {
                (station, user) = (try Station(), nil)
                return
            }
            station =
                host == nil ? try Station() : try Station(user: Machine.nobody, state: folder.path + "/home/state")
            user = host == nil ? "nobody" : nil
            try shell("mkdir -p in out home; chmod 755 . in; chmod 777 out; chown \(Machine.nobody) home")
        }

        func shell(_ script: String) throws {
            let command = try Command.run("sh", ["-c", script], in: URL(filePath: path))
            guard command.succeeded else { throw Problem("\(script): \(command)") }
        }

        func add(_ script: String, budget: [String: String] = ["wallClock": "1m"]) throws {
            var members: [String: Any] = [
                "identifier": LearnTests.task, "confinement": "none", "enforcement": "bestEffort",
                "tasks": [
                    LearnTests.task: [
                        "kind": "processing",
                        "handler": ["command": ["/bin/sh", "-c", script], "workingDirectory": path],
                        "budget": budget, "retry": ["attempts": 1, "backoff": "1m"],
                    ] as [String: Any]
                ],
            ]
            if let user { members["user"] = user }
            try station.add(ManifestText(members: members))
            // Its user rewrites it.
            if Machine.isRoot, user == nil { try shell("chown -R \(Machine.nobody) '\(station.manifestFolder.path)'") }
        }

        func learn(_ words: String..., status: Int32 = 0) throws -> Learned {
            let manifests = ["--manifests", station.manifestFolder.path]
            let command = try station.start(["learn", LearnTests.task, "--json", "--yes"] + words + manifests).finish(
                patience: .long)
            guard command.status == status else {
                throw Problem("\(command.status): \(command.output) \(command.errors)")
            }
            return try JSONDecoder().decode(Learned.self, from: Data(command.output.utf8))
        }

        func run() throws -> RunDocument {
            let report = try station.run(LearnTests.task)
            return try #require(report[LearnTests.task], "\(report.command)")
        }
    }

    static let hosts: [String?] = Machine.isRoot ? [nil, "nobody"] : [nil]

    @Test("names what is read, written, made, removed and executed, whatever call did it", arguments: hosts)
    func seen(_ host: String?) throws {
        let bench = try Bench(host)
        try bench.shell("echo a >in/a; echo b >in/b; cp /bin/true in/tool; echo old >out/old; chmod 666 out/old")
        try bench.add(
            "cat in/a; in/tool; echo x >out/new; mkdir out/d; mv out/d out/e; echo y >>out/old; ls out >/dev/null; mkdir -p out; cat /proc/self/maps | head -1; (cat /proc/self/stat >/dev/null)"
        )
        let learned = try bench.learn()
        #expect(
            learned.words == ["read \(bench.path)/in/a", "write \(bench.path)/out", "execute \(bench.path)/in/tool"],
            "\(learned)")
        #expect(learned.apart.isEmpty && learned.obstacles.isEmpty && learned.unseen.isEmpty, "\(learned)")
        #expect(learned.lines.first { $0.permission == "read" }?.why == "cat read it")
        bench.station.expectNothingLeft()
    }

    @Test(
        "proves a proposal, leaves out what is not needed, and writes it: then the task does the same", arguments: hosts
    )
    func proved(_ host: String?) throws {
        let bench = try Bench(host)
        try bench.shell("echo a >in/a; echo b >in/b")
        try bench.add(
            "cat in/a; cat in/b 2>/dev/null >/dev/null; sort in/a >out/sorted; date >>out/log; mktemp >/dev/null")
        let learned = try bench.learn("--prove", "--write")
        #expect(learned.words == ["read \(bench.path)/in/a", "write \(bench.path)/out"], "\(learned)")
        #expect(learned.unneeded.map(\.place) == ["\(bench.path)/in/b"] && learned.proved == true, "\(learned)")
        #expect(learned.lines.allSatisfy { $0.needed != nil }, "\(learned)")
        try bench.shell("rm out/sorted")
        let run = try bench.run()
        #expect(run.outcome == "succeeded", "\(run)")
        #expect(try bench.station.logs(run).text == "a\n")
        #expect(try bench.station.show(run).confinement?.hasPrefix("confinement none") == false)
        let mode =
            try FileManager.default.attributesOfItem(atPath: "\(bench.path)/out/sorted")[.posixPermissions] as? Int
        #expect(mode == 0o644)
        let text = try String(
            contentsOf: bench.station.manifestFolder.appending(path: "\(Self.task).json"), encoding: .utf8)
        #expect(text.contains(#""confinement": "full""#) && text.contains(#""umask": "022""#), "\(text)")
    }

    @Test("what --before puts back a moment earlier is not the task's own", arguments: hosts)
    func putBack(_ host: String?) throws {
        let bench = try Bench(host)
        try bench.shell("echo a >in/a")
        try bench.add("cat in/a >out/new; cat out/*.log; rm out/1.log")
        let again =
            "cd \(bench.path)/out && rm -f * && for i in 1 2 3 4; do echo long enough >$i.log; chmod 666 $i.log; done"
        let learned = try bench.learn("--prove", "--before", again)
        #expect(learned.proved == true, "\(learned)")
        #expect(learned.words == ["read \(bench.path)/in/a", "write \(bench.path)/out"], "\(learned)")
    }

    @Test("shared memory is no grant: under a root host each run has its own, elsewhere none can be granted")
    func sharedMemory() throws {
        let bench = try Bench(nil)
        try bench.add("echo x >/dev/shm/taskhost-learn-$$; rm /dev/shm/taskhost-learn-$$; cat /etc/hostname >/dev/null")
        let learned = try bench.learn(status: Machine.isRoot ? 0 : 1)
        #expect(learned.words == ["read /etc/hostname"], "\(learned)")
        #expect(learned.obstacles.map(\.what) == (Machine.isRoot ? [] : ["/dev/shm"]), "\(learned)")
    }

    @Test("a program that never ends is learned from until its budget, which is said")
    func endless() throws {
        let bench = try Bench(nil)
        try bench.shell("echo a >in/a")
        try bench.add("cat in/a; exec sleep 1000")
        let learned = try bench.learn("--wall", "2s")
        #expect(learned.words == ["read \(bench.path)/in/a"], "\(learned)")
        #expect(learned.unseen.count == 1, "\(learned)")
        bench.station.expectNothingLeft()
    }

    @Test("its watcher's end is the run's, and leaves nothing running")
    func killed() throws {
        let bench = try Bench(nil)
        try bench.add("kill -9 $PPID; sleep 1000")
        let learned = try bench.learn()
        #expect(learned.unseen.count == 1, "\(learned)")
        bench.station.expectNothingLeft()
    }

    @Test("very many files of one folder are one line, in bounded time and memory")
    func storm() throws {
        let bench = try Bench(nil)
        try bench.shell("cd in; seq 1 3000 | xargs touch")
        try bench.add("cat in/* >/dev/null")
        let learned = try bench.learn()
        #expect(learned.words == ["read \(bench.path)/in"], "\(learned)")
    }

    @Test("joins several runs, and marks what only some did")
    func several() throws {
        let bench = try Bench(nil)
        try bench.shell("echo a >in/a")
        try bench.add("test -e out/first || cat in/a; echo x >out/first")
        let learned = try bench.learn("--runs", "2")
        #expect(learned.lines.map(\.runs) == [1, 2], "\(learned)")
    }

    @Test("says what cannot be confined: Unix sockets, set-user-ID programs, datagrams")
    func obstacles() throws {
        let bench = try Bench(nil)
        try bench.add(
            """
            python3 - <<'PY'
            import socket, errno
            server = socket.socket(socket.AF_UNIX)
            server.bind("out/server")
            server.listen()
            for kind, place in ((socket.AF_UNIX, "out/server"), (socket.AF_UNIX, "out/none"), (socket.AF_INET6, ("::1", 9))):
                s = socket.socket(kind)
                try: s.connect(place)
                except OSError: pass
            u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            for port in (7001, 7002): u.sendto(b"x", ("127.0.0.1", port))
            PY
            su -c true </dev/null 2>/dev/null; true
            """)
        let learned = try bench.learn(status: 1)
        #expect(learned.words.contains("network loopback:9"), "\(learned)")
        let what = Set(learned.obstacles.map(\.what))
        #expect(what.isSuperset(of: ["\(bench.path)/out/server", "127.0.0.1:7001", "127.0.0.1:7002"]), "\(learned)")
        #expect(what.contains { $0.hasSuffix("/su") }, "\(learned)")
    }

    @Test("a task among others gets a manifest of its own, and the others stay as they are")
    func siblings() throws {
        let bench = try Bench(nil)
        let other = "com.example.other"
        func task(_ script: String) -> [String: Any] {
            ["kind": "processing", "handler": ["command": ["/bin/sh", "-c", script], "workingDirectory": bench.path]]
        }
        var members: [String: Any] = [
            "identifier": "com.example.both", "confinement": "none", "enforcement": "bestEffort",
            "tasks": [Self.task: task("cat /etc/hostname"), other: task("id -un")],
        ]
        if Machine.isRoot { members["user"] = "nobody" }
        try bench.station.add(ManifestText(members: members))
        let learned = try bench.learn("--write")
        let folder = bench.station.manifestFolder.path
        #expect(learned.manifest == "\(folder)/\(Self.task).json", "\(learned)")
        let valid = try Command.run(try Places.taskhost, ["validate", folder])
        #expect(valid.succeeded, "\(valid)")
        let both = try String(contentsOfFile: "\(folder)/com.example.both.json", encoding: .utf8)
        #expect(
            both.contains(other) && !both.contains(Self.task) && both.contains(#""confinement": "none""#), "\(both)")
    }

    @Test(
        "notes what was made in place of a link that leads to nothing, no folder that was executed, and no lie of the report"
    )
    func oddities() throws {
        let bench = try Bench(nil)
        try bench.shell("mkdir other; chmod 777 other; ln -s ../other/fresh out/link")
        try bench.add(
            """
            echo x >out/link; python3 -c 'import os
            for path in ("/", "/etc", "/dev/zero"):
                try: os.execv(path, [path])
                except OSError: pass
            try: os.open("/", os.O_RDWR)
            except OSError: pass
            os.utime("other/fresh"); os.utime(os.open("other/fresh", os.O_RDWR))'
            report=$(tr '\\0' '\\n' </proc/$PPID/cmdline | grep -m1 ^/tmp/taskhost-learn)
            printf 'write\\t/etc\\tx\\t\\nread\\t//\\tx\\t\\nlist\\t$MANIFEST\\tx\\t\\ntcp\\t*:443\\tx\\t\\n' >>"$report"
            """)
        let learned = try bench.learn(status: 1)
        #expect(learned.words.filter { $0.hasPrefix("write") } == ["write \(bench.path)/other"], "\(learned)")
        let odd = learned.words.filter { word in
            ["execute", "network"].contains { word.hasPrefix($0) } || word.contains("$") || word.hasSuffix(" /")
                || word.hasSuffix("//")
        }
        #expect(odd.isEmpty, "\(odd)")
        #expect(learned.apart.map(\.place) == ["/etc"] && learned.unseen.isEmpty, "\(learned)")
    }

    @Test("keeps the manifest's settings to the letter, and no other manifest's place or later change")
    func manifests() throws {
        let bench = try Bench(nil)
        let folder = bench.station.manifestFolder.path
        let settings = #"{"id":123456789012345678901234567890,"r":0.10,"e":1E2}"#
        let user = Machine.isRoot ? #""user": "nobody","# : ""
        func write(_ script: String) throws {
            try bench.station.folder.write(
                "manifests/\(Self.task).json",
                #"{"identifier": "com.example.app", \#(user) "confinement": "none", "enforcement": "bestEffort", "tasks": {"\#(Self.task)": "#
                    + #"{"kind": "processing", "handler": {"command": ["/bin/sh", "-c", "\#(script)"]}, "settings": \#(settings)}}}"#
            )
        }
        try write("true")
        let path = try #require(try bench.learn("--write").manifest)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for token in ["123456789012345678901234567890", "0.10", "1E2", "com.example.app"] {
            #expect(text.contains(token), "\(text)")
        }
        try write("echo ' ' >>\(folder)/\(Self.task).json")
        if Machine.isRoot { try bench.shell("chmod 666 '\(folder)/\(Self.task).json'; chmod 777 '\(folder)'") }
        #expect(throws: (any Error).self) { try bench.learn("--write") }
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(#""full""#))
    }

    @Test("writes nothing for a run that failed")
    func failed() throws {
        let bench = try Bench(nil)
        try bench.add("echo why >&2; exit 3")
        let learned = try bench.learn("--write", status: 1)
        #expect(learned.manifest == nil && learned.difference?.contains("did not succeed") == true, "\(learned)")
    }
}
