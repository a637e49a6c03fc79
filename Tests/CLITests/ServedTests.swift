import Foundation
import Testing

@Suite("Verbs that ask a host")
final class ServedTests {
    let host: ScriptedHost

    init() throws { host = try ScriptedHost() }
    deinit { host.stop() }

    private func ask(_ arguments: String...) throws -> Tool {
        try Tool.run(arguments + ["--state", host.state.path])
    }

    @Test("submit says what the request waits for, and pending lists it")
    func submits() throws {
        let submitted = try ask("submit", "com.example.good", "--requires-power", "--earliest", "+15m")
        #expect(submitted.status == 0, "\(submitted.errors)")
        #expect(submitted.output == "com.example.good is pending; it waits for external power\n")
        let pending = try ask("pending", "--json")
        let requests = try #require(try pending.document["requests"] as? [[String: Any]])
        #expect(requests.count == 1)
        #expect(requests[0]["requiresExternalPower"] as? Bool == true)
        let earliest = try #require(requests[0]["earliestBeginDate"] as? String)
        #expect(earliest > "2026" && earliest.hasSuffix("Z"))
        #expect(try ask("pending").output.contains("external power"))
        #expect(try ask("cancel", "com.example.good").output == "1 request taken back\n")
        #expect(try ask("cancel", "com.example.good").errors.contains("nothing was pending"))
        #expect(try ask("pending").errors == "nothing is pending\n")
    }

    @Test("A refused submission ends with the host's sentence and status 17")
    func refusal() throws {
        let refused = try ask("submit", "com.example.full")
        refused.expectSentence(["too many", "cancel one"], status: 17)
        let malformed = try ask("submit", "com.example.good", "--earliest", "noon")
        malformed.expectSentence(["--earliest", "noon", "15m"], status: 64)
        let name = try ask("submit", "not an identifier")
        name.expectSentence(["an identifier such as"], status: 64)
    }

    @Test("why prints the summary and every gate, with a mark at those that hold")
    func why() throws {
        let why = try ask("why", "com.example.good")
        #expect(why.status == 0, "\(why.errors)")
        let lines = why.output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "com.example.good waits for external power")
        #expect(lines[1].contains("GATE") && lines[1].contains("OPENED BY"))
        #expect(lines[2].hasPrefix("  manifest"))
        #expect(lines[3].hasPrefix("> externalPower  closed"))
        #expect(lines[3].contains("on battery, 54 %"))
        try ask("why", "com.example.goood").expectSentence(["did you mean com.example.good?"], status: 64)
        #expect(try ask("why", "com.example.good", "--json").document["pending"] as? Bool == true)
    }

    @Test("run goes through the host, shows what is printed, and has its outcome's status")
    func runs() throws {
        let good = try ask("run", "com.example.good", "--payload-text", "bread")
        #expect(good.status == 0, "\(good.errors)")
        #expect(good.errors.contains("hello from com.example.good with bread"))
        #expect(good.output.contains("succeeded"))
        let both = try ask("run", "com.example.good", "com.example.fails", "--json")
        #expect(both.status == 1)
        let runs = try #require(try both.document["runs"] as? [[String: Any]])
        #expect(runs.map { $0["outcome"] as? String } == ["succeeded", "failed"])
        let watched = try ask("run", "com.example.good", "--watch", "--quiet")
        #expect(watched.errors.contains("com.example.good  [#######-----------------]   33 %  third"))
        #expect(!watched.errors.contains("hello"))
        try ask("run", "com.example.good", "--profile", "ios7").expectSentence(["--profile", "--state"], status: 64)
    }

    @Test("simulate launch waits for the outcome; without a pending request it says so")
    func simulates() throws {
        let nothing = try ask("simulate", "launch", "com.example.good")
        nothing.expectSentence(["no task request with identifier com.example.good has been scheduled"], status: 64)
        #expect(try ask("submit", "com.example.fails").status == 0)
        let launched = try ask("simulate", "launch", "com.example.fails")
        #expect(launched.status == 1, "\(launched.errors)")
        #expect(launched.output.contains("failed"))
        #expect(try ask("submit", "com.example.waits").status == 0)
        let started = try ask("simulate", "launch", "com.example.waits", "--no-wait")
        #expect(started.output.hasSuffix("is started\n"))
        #expect(try ask("top", "--once").output.contains("com.example.waits"))
        #expect(try ask("simulate", "expiration", "com.example.waits").output.hasSuffix("is warned\n"))
        try ask("simulate", "expiration", "com.example.waits").expectSentence(
            ["no run of this is in progress"], status: 64)
    }

    @Test("Ctrl-C stops the run on the host, and run ends with its outcome")
    func interrupts() throws {
        let tool = try BackgroundTool(["run", "com.example.waits", "--state", host.state.path])
        #expect(tool.waitFor("hello from com.example.waits"))
        #expect(tool.end(SIGINT) == 16)
    }

    @Test("cancel takes a run's id as well")
    func cancelsRun() throws {
        #expect(try ask("submit", "com.example.waits").status == 0)
        let started = try ask("simulate", "launch", "com.example.waits", "--no-wait", "--json")
        let run = try #require(try started.document["run"] as? String)
        #expect(try ask("cancel", run).output == "\(run) is being stopped\n")
        #expect(try ask("cancel", "--all").output == "0 requests taken back\n")
    }

    @Test("device shows, overrides and resets conditions, and checks words before it asks")
    func device() throws {
        let set = try ask("device", "set", "power=battery", "battery=54")
        #expect(set.status == 0, "\(set.errors)")
        #expect(set.output.contains("power"))
        #expect(set.output.contains("device set"))
        let shown = try ask("device", "--json").document["conditions"] as? [String: [String: Any]]
        #expect(shown?["battery"]?["value"] as? String == "54")
        #expect(shown?["battery"]?["overridden"] as? Bool == true)
        try ask("device", "set", "powr=battery").expectSentence(["did you mean power?"], status: 64)
        try ask("device", "set", "power=steam").expectSentence(["power=external|battery|unknown"], status: 64)
        try ask("device", "set").expectSentence(["NAME=VALUE"], status: 64)
        #expect(!(try ask("device", "reset").output.contains("device set")))
    }

    @Test("Applications are opened, sent to the background and quit; the journal and reload report them")
    func applications() throws {
        #expect(try ask("foreground", "com.example.app").output == "com.example.app is active\n")
        #expect(try ask("background", "com.example.app").output == "com.example.app is background\n")
        #expect(try ask("quit", "com.example.app").output == "com.example.app is notRunning, quit by the user\n")
        #expect(try ask("lift", "com.example.app").status == 0)
        #expect(try ask("app", "unquarantine", "com.example.app").status == 0)
        let off = try ask("app", "refresh", "off", "com.example.app").output
        #expect(off.contains("background refresh turned off"), "\(off)")
        #expect(try ask("app", "refresh", "on", "com.example.app").output == "com.example.app is active\n")
        let denied = try ask("deny", "com.example.app").output
        #expect(denied == "com.example.app is active, background refresh turned off\n")
        #expect(try ask("allow", "com.example.app").output == "com.example.app is active\n")
        try ask("quit", "com.example.none").expectSentence(["there is no such application"], status: 64)
        #expect(try ask("journal", "--limit", "7").output.contains("7 asked for"))
        let reload = try ask("reload")
        #expect(reload.status == 65)
        #expect(reload.errors == "m.json:1:1: $: found x; expected y\n")
    }

    @Test("top draws what runs and waits on a terminal, and q ends it")
    func top() throws {
        #expect(try ask("submit", "com.example.good").status == 0)
        #expect(try ask("submit", "com.example.waits").status == 0)
        #expect(try ask("simulate", "launch", "com.example.waits", "--no-wait").status == 0)
        let script = """
            import os, pty, sys
            pid, terminal = pty.fork()
            if pid == 0:
                os.environ["TERM"] = "xterm"
                os.execv(sys.argv[1], [sys.argv[1], "top", "--state", sys.argv[2]])
            seen = b""
            while b"q ends" not in seen: seen += os.read(terminal, 4096)
            os.write(terminal, b"q")
            try:
                while part := os.read(terminal, 4096): seen += part
            except OSError: pass
            print(seen.decode())
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let top = try Tool.execute("/usr/bin/python3", ["-c", script, Places.taskhost.path, host.state.path])
        #expect(top.status == 0, "\(top.errors)")
        #expect(top.output.contains("1 running  1 waiting"))
        #expect(top.output.contains("com.example.waits"))
        #expect(top.output.contains("external power"))
        #expect(top.output.contains("\u{1B}[?1049l"), "the terminal is put back")
    }

    @Test("top prints a line for each event where no terminal is")
    func topLines() throws {
        let lines = try Tool.shell(
            """
            $taskhost top --json --state \(host.state.path) > events & top=$!
            until grep -q run.ended events; do $taskhost run com.example.good --quiet --state \(host.state.path) >/dev/null; done
            kill $top; wait $top; grep run.ended events | head -n 1
            """)
        #expect(lines.output.hasPrefix(#"{"event":"run.ended","data":{"run":"#), "\(lines.output)\(lines.errors)")
    }

    @Test("list has the host's columns")
    func lists() throws {
        let manifests = Places.root.appending(path: "manifests").path
        let list = try ask("list", "--manifests", manifests)
        #expect(list.output.contains("WAITING FOR"))
        let line = try #require(list.output.split(separator: "\n").first { $0.contains("examples.crc32") })
        #expect(line.contains("suspended") && line.contains("external power"))
        // Without manifests named: what the host has.
        let own = try ask("list")
        #expect(own.output.contains("external power"), "\(own.output)\(own.errors)")
        // Applications without tasks, as far as their manifests are there.
        #expect(own.output.contains("com.example.bare") && own.output.contains("active"), "\(own.output)")
        #expect(!own.output.contains("com.example.gone") && !own.output.contains("org.taskhost.examples "))
        host.stop()
        #expect(!(try ask("list", "--manifests", manifests).output.contains("WAITING FOR")))
    }
}

@Suite("Verbs without a host")
struct UnservedTests {
    /// The others answer in their own process.
    static let verbs = [
        ["foreground", "com.example.a"], ["background", "com.example.a"], ["quit", "com.example.a"],
        ["app", "unquarantine", "com.example.a"], ["lift", "com.example.a"], ["deny", "com.example.a"],
        ["allow", "com.example.a"], ["reload"], ["top"],
    ]
    @Test("say that none serves the state, and how to start one", arguments: verbs)
    func noHost(_ verb: [String]) throws {
        let state = try Folder()
        let tool = try Tool.run(verb + ["--state", state.path])
        #expect(tool.status == 69)
        #expect(tool.errors == "taskhost: no host serves this state; \(state.path); start one with: taskhost serve\n")
        let missing = try Tool.run(verb + ["--state", state.path + "/none"])
        #expect(missing.status == 69)
    }

    @Test("A socket that a dead host left counts as no host")
    func staleSocket() throws {
        let state = try Folder()
        let made = try Tool.shell(
            "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"control.sock\")'", in: state)
        #expect(made.status == 0, "\(made.errors)")
        let manifests = Places.root.appending(path: "manifests").path
        let pending = try Tool.run("pending", "--state", state.path, "--manifests", manifests)
        #expect(pending.errors.contains("no host serves this state"), "\(pending.errors)")
    }

    @Test("Another user's socket gets no connection", .enabled(if: Places.isRoot, "only root gives files away"))
    func foreignSocket() throws {
        let host = try ScriptedHost()
        defer { host.stop() }
        chown(host.state.file("control.sock").path, 65534, 65534)
        try Tool.run("pending", "--state", host.state.path)
            .expectSentence(["belongs to another user", "control.sock"], status: 69)
    }

    @Test("A file that is no socket is named")
    func noSocket() throws {
        let state = try Folder()
        try state.write("control.sock", "x")
        try Tool.run("pending", "--state", state.path).expectSentence(["this is not a socket"], status: 69)
    }

    @Test("A state folder with a long path is served as well")
    func longPath() throws {
        let host = try ScriptedHost()
        defer { host.stop() }
        let long = host.state.path + "/" + String(repeating: "x", count: 200)
        try FileManager.default.createSymbolicLink(atPath: long, withDestinationPath: host.state.path)
        #expect(try Tool.run("pending", "--state", long).status == 0)
    }
}
