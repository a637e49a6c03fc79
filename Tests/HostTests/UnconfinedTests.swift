import Foundation
import Glibc
import TestSupport
import Testing

/// Programs with their user's own rights, as cron would start them.
@Suite("A program without confinement")
struct UnconfinedTests {
    private static let application = "com.example.own"
    private static let task = "com.example.own.task"

    private func manifest(
        _ script: String, user: String? = nil, budget: [String: String] = ["wallClock": "1m"],
        folder: String? = nil, application: String = application
    ) -> ManifestText {
        var handler: [String: Any] = ["command": ["/bin/sh", "-c", script]]
        if let folder { handler["workingDirectory"] = folder }
        var members: [String: Any] = [
            "identifier": application, "confinement": "none", "enforcement": "bestEffort",
            "tasks": [
                "\(application).task": [
                    "kind": "processing", "handler": handler, "budget": budget,
                    "retry": ["attempts": 1, "backoff": "1m"],
                ] as [String: Any]
            ],
        ]
        if let user { members["user"] = user }
        return ManifestText(members: members)
    }

    /// As root in the name of a user, and as an ordinary user.
    static let hosts: [String?] = Machine.isRoot ? [nil, "nobody"] : [nil]

    private func station(_ host: String?) throws -> (Station, user: String?) {
        guard Machine.isRoot else { return (try Station(), nil) }
        return host == nil ? (try Station(), "games") : (try Station(user: Machine.nobody), nil)
    }

    private func output(_ station: Station, _ manifest: ManifestText, outcome: String = "succeeded") throws -> String {
        try station.add(manifest)
        let report = try station.run(Self.task)
        let run = try #require(report[Self.task], "\(report.command)")
        #expect(run.outcome == outcome, "\(run) \(report.command)")
        return try station.logs(run).text
    }

    @Test("has what cron gives a command, and no filter, no Landlock, no lost privilege", arguments: hosts)
    func rights(_ host: String?) throws {
        let (station, user) = try station(host)
        let script = """
            umask; ulimit -Sn; ulimit -f; pwd; echo "$SHELL $PATH"; test "$HOME" = "$(pwd)" || test "$(pwd)" = / && echo home
            grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t'
            echo "$LOGNAME $(id -un)"; ls -ld /proc/self/fd >/dev/null && readlink /proc/self/fd/0
            echo named >/dev/stderr
            /usr/bin/id >/dev/null && sh -c 'kill -0 $PPID && echo signals'
            """
        let lines = try output(station, manifest(script, user: user)).split(separator: "\n").map(String.init)
        #expect(lines.prefix(3) == ["0022", "1024", "unlimited"], "\(lines)")
        #expect(lines.contains("/bin/sh /usr/bin:/bin") && lines.contains("home"), "\(lines)")
        #expect(lines.contains("Seccomp:0") && lines.contains("NoNewPrivs:0"), "\(lines)")
        let name = user ?? (Machine.isRoot ? "nobody" : NSUserName())
        #expect(lines.contains("\(name) \(name)") && lines.contains("signals"), "\(lines)")
        #expect(lines.contains("named"), "\(lines)")
        let run = try station.show(try #require(try station.history().first))
        #expect(run.confinement?.hasPrefix("confinement none: all rights of user \(name), ") == true, "\(run)")
        station.expectNothingLeft()
    }

    @Test("begins in its working directory, or says why it cannot")
    func folder() throws {
        let (station, user) = try station(nil)
        #expect(try output(station, manifest("pwd", user: user, folder: "/usr/share")) == "/usr/share\n")
        _ = try output(station, manifest("pwd", user: user, folder: "/no/such"), outcome: "refused")
        let run = try station.show(try #require(try station.history().last))
        #expect(
            run.diagnostics.joined().contains("its working directory /no/such cannot be entered: No such file"),
            "\(run)")
    }

    @Test("is killed with all that it started at the end of its budget, also in other sessions", arguments: hosts)
    func killed(_ host: String?) throws {
        let (station, user) = try station(host)
        let script = "setsid sleep 1000 & (setsid sh -c 'sleep 1000' &) ; trap '' TERM; while :; do sleep 100; done"
        _ = try output(
            station, manifest(script, user: user, budget: ["wallClock": "2s", "grace": "1s"]), outcome: "overran")
        station.expectNothingLeft()
    }

    @Test("leaves what ends by itself a moment, and then ends and names what goes on", arguments: hosts)
    func leaves(_ host: String?) throws {
        let (station, user) = try station(host)
        // As a mailer that is handed a message: nobody waits for it, and it holds none of the run's streams.
        let handed = "$HOME/handed-$$; test -w \"$HOME\" || file=/tmp/handed-$$"
        let script = "file=\(handed); (setsid sh -c \"sleep 0.3; echo mail >$file\" >/dev/null 2>&1 &); echo $file"
        let path = try output(station, manifest(script, user: user)).trimmingCharacters(in: .whitespacesAndNewlines)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mail\n")
        #expect(try station.show(try #require(try station.history().last)).diagnostics == [])
        _ = try output(station, manifest("(setsid sleep 1000 >/dev/null 2>&1 &)", user: user))
        let notes = try station.show(try #require(try station.history().last)).diagnostics.joined()
        #expect(notes.contains("left running after its completion") && notes.contains("sleep"), "\(notes)")
        station.expectNothingLeft()
    }

    @Test("keeps its set-user-ID programs", .enabled(if: Machine.isRoot, "only root can make such a program"))
    func setUserID() throws {
        let (station, user) = try station(nil)
        let program = station.folder.file("whoami")
        try WrittenProgram.copy("/usr/bin/id", to: program, mode: "4755")
        #expect(try output(station, manifest("\(program.path) -u", user: user)) == "0\n")
    }

    @Test("may be root in a manifest of root's", .enabled(if: Machine.isRoot, "only root can become another user"))
    func root() throws {
        let station = try Station()
        let script = "id -u; grep CapEff /proc/self/status | tr -d '\\t'; head -c0 /etc/shadow && echo read"
        let lines = try output(station, manifest(script, user: "root")).split(separator: "\n").map(String.init)
        #expect(lines.first == "0" && lines.contains("read"), "\(lines)")
        let own = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
            .first { $0.hasPrefix("CapEff") }?.replacing("\t", with: "")
        #expect(lines.contains(String(own ?? "")), "\(lines)")
    }

    @Test("is refused with the reason")
    func refused() throws {
        let station = try Station()
        try station.add(manifest("true", user: Machine.isRoot ? "games" : nil))
        try station.configure("allowUnconfined", false)
        let forbidden = try station.run(Self.task).command
        #expect(forbidden.status == 65 && forbidden.errors.contains("this host's \"allowUnconfined\" is false"))
        try station.configure("allowUnconfined", true)
        if Machine.isRoot {
            try station.add(manifest("true"))
            let nobody = try station.run(Self.task).command
            #expect(nobody.status == 65 && nobody.errors.contains("\"none\" without a \"user\""), "\(nobody)")
            try station.add(manifest("true", user: "games"))
        }
        let other = try Station()
        try other.add(manifest("true", user: Machine.isRoot ? "games" : nil))
        #expect(chmod(other.folder.path, 0o777) == 0)
        let open = try other.run(Self.task).command
        #expect(open.status == 65 && open.errors.contains("in a manifest that others could replace"), "\(open)")
    }

    @Test(
        "names a process that became another user, whom an ordinary user's host may not kill",
        .enabled(if: Machine.isRoot, "only root can make such a program"))
    func beyondReach() throws {
        let station = try Station(user: Machine.nobody)
        let program = station.folder.file("become")
        try WrittenProgram.copy("/usr/bin/setpriv", to: program, mode: "4755")
        let script = "\(program.path) --reuid 0 sh -c 'echo $$; exec sleep 1000' & wait"
        let text = try output(
            station, manifest(script, budget: ["wallClock": "2s", "grace": "1s"]), outcome: "expired")
        let pid = try #require(text.split(separator: "\n").first.flatMap { Int32($0) }, "\(text)")
        defer { #expect(kill(pid, SIGKILL) == 0) }
        let run = try station.show(try #require(try station.history().last))
        #expect(
            run.diagnostics.joined().contains("process \(pid) (sleep), of another user"), "\(run.diagnostics)")
        #expect(!run.diagnostics.joined().contains("the host killed"), "\(run.diagnostics)")
    }

    @Test("is refused when a confined application may write its manifest")
    func writable() throws {
        let station = try Station()
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.wide",
                "tasks": [
                    "com.example.wide.task": ["kind": "processing", "handler": ["command": ["/bin/true"]]]
                        as [String: Any]
                ],
                "permissions": ["write": [station.folder.path]],
            ]))
        _ = try output(station, manifest("true", user: Machine.isRoot ? "games" : nil), outcome: "refused")
        let run = try station.show(try #require(try station.history().first))
        #expect(run.diagnostics.joined().contains("a confined application may write"), "\(run)")
    }

    @Test("is refused when a confined application may write the host's configuration, which none is granted by name")
    func configuration() throws {
        let station = try Station()
        try station.configure("concurrency", 2)
        func add(_ name: String, write: String) throws {
            try station.add(
                ManifestText(members: [
                    "identifier": "com.example.\(name)", "permissions": ["write": [write]],
                    "tasks": [
                        "com.example.\(name).task": ["kind": "processing", "handler": ["command": ["/bin/true"]]]
                            as [String: Any]
                    ],
                ]))
        }
        // The folder in which the manifests' folder and the configuration are.
        try add("folder", write: station.folder.path)
        try add("file", write: station.folder.file("config.json").path)
        for name in ["folder", "file"] {
            let report = try station.run("com.example.\(name).task")
            let run = try #require(report["com.example.\(name).task"], "\(report.command)")
            #expect(run.outcome == "refused", "\(run)")
            #expect(run.diagnostics.joined().contains("where the host's configuration is"), "\(run)")
        }
        _ = try output(station, manifest("true", user: Machine.isRoot ? "games" : nil), outcome: "refused")
        let runs = try station.history().filter { $0.identifier == Self.task }
        let run = try station.show(try #require(runs.first))
        #expect(run.diagnostics.joined().contains("a confined application may write"), "\(run)")
    }

    @Test("runs by hand as by its schedule")
    func schedule() throws {
        let (station, user) = try station(nil)
        let script = "id -un; pwd; umask; env | grep -vE '^(TASKHOST_(RUN|DEADLINE)|_)=' | sort; ulimit -a"
        let text = try output(station, manifest(script, user: user, folder: "/usr"))
        let daemon = try Daemon(station)
        #expect(try station.start(["submit", Self.task]).finish().succeeded)
        try daemon.wait(for: "run.ended", Self.task)
        let last = try #require(try station.history().last)
        #expect(last.outcome == "succeeded", "\(last)")
        #expect(try station.logs(last).text == text)
        try daemon.program.signal(SIGTERM)
        #expect(try daemon.program.finish().succeeded)
    }
}
