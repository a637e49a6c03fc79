import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A user at a daemon's shell")
struct PersonTests {
    private static let application = "org.taskhost.person"

    /// An application with a wildcard, two refreshes, one that prints when it is warned, and a quick one.
    private func station() throws -> Station {
        let station = try Station()
        try station.add(manifest())
        return station
    }

    private func manifest() throws -> ManifestText {
        var manifest = try ManifestText(
            stage: Self.application,
            [
                "job.*": "stage_pass", "a": "stage_pass", "b": "stage_pass", "say": "stage_say", "quick": "stage_tally",
                "wait": "stage_wait",
            ])
        manifest.setTask(name("job.*"), "kind", "continuedProcessing")
        for task in ["a", "b"] { manifest.setTask(name(task), "kind", "appRefresh") }
        for task in ["say", "quick", "wait"] { manifest.setTask(name(task), "requires", ["idle": false]) }
        return manifest
    }

    private func name(_ task: String) -> String { "\(Self.application).\(task)" }

    private func status(_ daemon: Daemon, _ words: String...) throws -> Command {
        try daemon.station.start(words, manifests: false).finish()
    }

    @Test("learns what cannot be run, cancelled or found, instead of getting an empty success")
    func unknown() throws {
        let daemon = try Daemon(try station())
        for task in ["job.", "job.*.*", "job..1"] {
            let run = try status(daemon, "run", name(task))
            #expect(run.status == 64 && run.errors.contains("identifier"), "\(run)")
        }
        for task in ["job.1.2", "job", "jobs.1", "nonsense"] {
            let run = try status(daemon, "run", name(task))
            #expect(run.status == 64 && run.errors.contains("no manifest has this task"), "\(run)")
        }
        let typo = try status(daemon, "cancel", name("quikc"))
        #expect(typo.status == 64 && typo.errors.contains("did you mean \(name("quick"))"), "\(typo)")
        #expect(try status(daemon, "cancel", name("quick")).status == 0, "known, and nothing pending")

        var smaller = try manifest()
        smaller.removeTask(name("quick"))
        try daemon.station.add(smaller)
        // A file may be read before it is whole, and once more when it is.
        try daemon.program.wait(forText: "read the manifests again: 5 tasks")
        let gone = try status(daemon, "run", name("quick"))
        #expect(gone.status == 64 && gone.errors.contains("no manifest has this task"), "\(gone)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("runs an identifier that a wildcard stands for, with a daemon and without, and finds it under its name")
    func concrete() throws {
        let station = try station()
        let alone = try station.run(name("job.1"))
        #expect(alone.command.status == 0, "\(alone.command)")
        #expect(alone[name("job.1")]?.outcome == "succeeded", "\(alone.runs)")
        let daemon = try Daemon(station)
        let served = try status(daemon, "run", name("job.2"), name("job.x-Y"), "--json")
        #expect(served.status == 0, "\(served)")
        #expect(try station.history().map(\.identifier) == ["job.1", "job.2", "job.x-Y"].map(name))
        #expect(try status(daemon, "history", name("job.2")).output.contains(name("job.2")))
        try daemon.tell("foreground", Self.application)
        try daemon.tell("submit", name("job.3"))
        try daemon.wait(for: "run.ended", name("job.3"))
        #expect(try daemon.stop().status == 0)
    }

    @Test("may have more pending than the application's own code")
    func limits() throws {
        let daemon = try Daemon(try station())
        for task in ["a", "b"] { try daemon.tell("submit", name(task), "--earliest", "+1h") }
        #expect(try daemon.pending().map(\.identifier) == [name("a"), name("b")])
        #expect(try daemon.stop().status == 0)
    }

    @Test("who leaves out a schedule's times finds them left out after a restart and a reload")
    func leavingOut() throws {
        let station = try station()
        var manifest = try manifest()
        manifest.setTask(name("quick"), "schedule", ["every": "1d"])
        try station.add(manifest)
        func date(_ daemon: Daemon) throws -> String? {
            struct Answer: Decodable {
                struct Request: Decodable { var next: String? }
                var requests: [Request]
            }
            return try daemon.ask(Answer.self, "pending").requests.first?.next
        }
        let first = try Daemon(station)
        let original = try #require(try date(first))
        let refused = try status(first, "cancel", name("quick"))
        #expect(refused.status == 64 && refused.errors.contains("taskhost skip \(name("quick"))"), "\(refused)")
        #expect(try first.tell("cancel", "--all") == "0 requests taken back\n")
        #expect(try date(first) == original, "cancelling moves no schedule")
        let none = try status(first, "skip", name("wait"))
        #expect(none.status == 64 && none.errors.contains("it has no schedule"), "\(none)")

        for _ in 0..<2 { try first.tell("skip", name("quick")) }
        let middle = try #require(try date(first))
        let words = try first.tell("skip", name("quick"), "--utc")
        let later = try #require(try date(first))
        #expect(words == "\(name("quick")) leaves out \(middle); the next time is \(later)\n")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        #expect(try style.parse(later).timeIntervalSince(style.parse(original)) == 3 * 86400)
        for word in ["why", "list", "pending"] {
            let shown = try first.tell(contentsOf: (word == "why" ? [word, name("quick")] : [word]) + ["--utc"])
            #expect(shown.contains("\(middle) is left out"), "\(shown)")
        }
        let forecast = ["forecast", "--utc", "--days", "8", "--manifests", station.manifestFolder.path]
        for word in ["\"leftOut\":\"\(middle)\"", "its time (\(middle) is left out)"] {
            let shown = try first.tell(contentsOf: forecast + (word.hasPrefix("\"") ? ["--json"] : []))
            #expect(shown.components(separatedBy: word).count == 2, "\(shown)")
        }
        #expect(try first.stop().status == 0)

        let second = try Daemon(station)
        #expect(try date(second) == later)
        #expect(try second.why(name("quick")).summary.contains("\(middle) is left out"))
        manifest.setTask(name("wait"), "budget", ["wallClock": "70s", "grace": "30s"])
        try station.add(manifest)
        try second.program.wait(forText: "read the manifests again")
        #expect(try date(second) == later)
        #expect(try second.stop().status == 0)
    }

    @Test("sees a request whose manifest was gone when the daemon started, and can take it back")
    func orphans() throws {
        let station = try station()
        let manifests = ["--manifests", station.manifestFolder.path]
        for task in ["a", "b"] {
            let submit = try station.start(["submit", name(task), "--earliest", "+1h"] + manifests)
                .finish()
            #expect(submit.succeeded, "\(submit)")
        }
        let file = station.manifestFolder.appending(path: "\(Self.application).json")
        try FileManager.default.removeItem(at: file)
        let daemon = try Daemon(station)
        #expect(try daemon.pending().map(\.identifier) == [name("a"), name("b")])
        let why = try daemon.why(name("a"))
        #expect(why.holding == ["manifest"] && why.summary == "waiting: its manifest", "\(why)")
        #expect(try status(daemon, "cancel", name("a")).succeeded)
        #expect(try daemon.pending().map(\.identifier) == [name("b")])

        try station.add(manifest())
        try daemon.program.wait(forText: "read the manifests again")
        #expect(try daemon.pending().map(\.identifier) == [name("b")])
        #expect(try daemon.why(name("b")).holding.contains("earliestBeginDate"))
        #expect(try daemon.stop().status == 0)
    }

    @Test("who only looks puts no schedule on record")
    func looking() throws {
        let station = try station()
        var manifest = try manifest()
        manifest.setTask(name("quick"), "schedule", ["every": "1d"])
        try station.add(manifest)
        func look() throws {
            let look = try station.start(["pending", "--manifests", station.manifestFolder.path])
                .finish()
            #expect(look.succeeded && look.output.contains(name("quick")), "\(look)")
        }
        try look()
        let file = station.folder.file("state/taskhost.db")
        #expect(!FileManager.default.fileExists(atPath: file.path), "looking makes no state")
        #expect(try station.run(name("quick")).command.succeeded)
        try look()
        let record = try SQLite(file)
        #expect(try record.column("SELECT count(*) FROM requests") == ["0"])
    }

    @Test("sees since when a run continues, and no past date as the next one")
    func next() throws {
        struct List: Decodable {
            struct Task: Decodable {
                struct Run: Decodable { var startedAt: String? }
                var identifier: String
                var lastRun: Run?
            }
            var tasks: [Task]
        }
        let daemon = try Daemon(try station())
        try daemon.tell("submit", name("wait"))
        try daemon.wait(for: "run.started", name("wait"))
        let task = try daemon.ask(List.self, "list").tasks.first { $0.identifier == name("wait") }
        #expect(task?.lastRun?.startedAt != nil)
        try daemon.tell("submit", name("wait"), "--earliest", "2026-01-01T00:00:00Z")
        struct Answer: Decodable {
            struct Request: Decodable {
                var waiting: String?
                var next: String?
            }
            var requests: [Request]
        }
        let request = try #require(try daemon.ask(Answer.self, "pending").requests.first)
        #expect(request.waiting != nil && request.next == nil, "\(request)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("finds what a run printed in its own log, though another run of its worker came and went meanwhile")
    func output() throws {
        let daemon = try Daemon(try station())
        try daemon.tell("submit", name("say"))
        try daemon.waitForWork(name("say"))
        #expect(try status(daemon, "run", name("quick")).succeeded)
        let runs = try daemon.station.history()
        let say = try #require(runs.first { $0.identifier == name("say") })
        let quick = try #require(runs.first { $0.identifier == name("quick") })
        try daemon.tell("cancel", say.run)
        try daemon.wait(for: "run.ended", name("say"))
        #expect(try daemon.station.logs(say).text.contains("says that it was warned"))
        #expect(try !daemon.station.logs(quick).text.contains("says that it was warned"))
        #expect(try daemon.stop().status == 0)
    }

    @Test(
        "who is a reader may look, not change", .enabled(if: Machine.isRoot, "only root can become another user"))
    func readers() throws {
        let station = try station()
        try station.configure("readers", [Machine.nobody])
        let daemon = try Daemon(station)
        let state = try FileManager.default.attributesOfItem(atPath: station.state + "/control.sock")
        #expect(state[.posixPermissions] as? Int == 0o666)
        func ask(_ words: [String]) throws -> Command {
            let user = "\(Machine.nobody)"
            let curl = ["curl", "-s", "-w", "%{http_code}", "--unix-socket", station.state + "/control.sock"]
            return try Command.run(
                "setpriv", ["--reuid", user, "--regid", user, "--clear-groups"] + curl + words)
        }
        #expect(try ask(["http://localhost/v1/requests"]).output.hasSuffix("200"))
        let refused = try ask(["-X", "DELETE", "http://localhost/v1/requests"])
        #expect(refused.output.hasSuffix("403"), "\(refused)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("cannot keep a host's state in a folder that all users may write")
    func publicFolder() throws {
        let station = try station()
        #expect(mkdir(station.state, 0o777) == 0 && chmod(station.state, 0o1777) == 0)
        let serve = try station.start(["serve"]).finish()
        #expect(serve.status == 73 && serve.errors.contains("everybody may write into this folder"), "\(serve)")
        let mode = try FileManager.default.attributesOfItem(atPath: station.state)[.posixPermissions] as? Int
        #expect(mode == 0o1777)
    }
}
