import Foundation
import Glibc
import Testing

/// `top` on a pseudo-terminal, with keys as a terminal sends them.
@Suite("taskhost top on a terminal")
final class TopScreenTests {
    let host: ScriptedHost

    init() throws { host = try ScriptedHost() }
    deinit { host.stop() }

    private typealias Step = TerminalDialog.Step

    private func top(_ steps: [Step], state: String? = nil, rows: Int = 9) throws -> TerminalDialog {
        try TerminalDialog.run(
            [Places.taskhost.path, "top", "--state", state ?? host.state.path], rows: rows, steps)
    }

    @Test("scrolls and sorts with keys, says why, and cancels the selected request after a y alone")
    func keys() throws {
        for name in ["e", "d", "good", "b", "a"] {
            #expect(try Tool.run("submit", "com.example.\(name)", "--state", host.state.path).status == 0)
        }
        let dialog = try top([
            Step(shows: "^>  com", type: "s"),
            Step(shows: #"^   \[TASK\]"#, type: "gj"),
            Step(shows: #"^>  com\.example\.b "#, type: "\u{1B}[B\u{1B}[B\u{1B}[B"),
            // Three rows fit: the selection stays among them.
            Step(shows: #"^>  com\.example\.good "#, type: "w"),
            Step(shows: #"^com\.example\.good waits for external power\n\n(.*\n)*> externalPower"#, type: "q"),
            Step(shows: #"^>  com\.example\.good "#, type: "\u{1B}[5~\u{1B}[5~"),
            // Anything but y leaves it.
            Step(shows: #"^>  com\.example\.a "#, type: "c"),
            Step(shows: #"^cancel the request of com\.example\.a\? y/n"#, type: "n"),
            Step(shows: "^arrows", type: "c"),
            Step(shows: #"^cancel the request of com\.example\.a\? y/n"#, type: "y"),
            Step(shows: #"^the request of com\.example\.a is taken back"#, type: "l"),
            // Another size is another picture.
            Step(shows: #"^com\.example\.b has not run yet"#, columns: 40),
            Step(shows: #"^arrows j k PgUp PgDn move  s sorts  w why$|^com\.example\.b has"#, type: "q"),
        ])
        #expect(!dialog.screens[3].contains("com.example.a "), "\(dialog.screens[3])")
        #expect(dialog.status == 0 && dialog.output.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"), "\(dialog.output)")
        let left = try Tool.run("pending", "--state", host.state.path).output
        #expect(!left.contains("com.example.a ") && left.contains("com.example.b "), "\(left)")
    }

    @Test("redraws when its size changes")
    func resized() throws {
        #expect(try Tool.run("submit", "com.example.good", "--state", host.state.path).status == 0)
        let dialog = try top([
            Step(shows: #"^>  com.* for|^>  com.*external power"#, columns: 40),
            Step(shows: #"^>  com\.example\.good(?!.*external power)"#, type: "q"),
        ])
        #expect(dialog.screens[1].split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(dialog.screens[1])")
    }

    @Test("shows the log of a run, and cancels it")
    func run() throws {
        let folder = try Plugin.folder(handler: "wait")
        let state = folder.file("state").path
        let serve = try BackgroundTool(["serve", "--manifests", folder.file("m").path, "--state", state])
        try #require(serve.waitFor("taskhost: serving "))
        let run = try BackgroundTool(["run", "com.example.cli", "--state", state])
        try #require(run.waitFor("waiting\n"))
        let dialog = try top(
            [
                Step(shows: #"^>  com\.example\.cli +running"#, type: "l"),
                Step(shows: "^waiting$", type: "\u{1B}"),
                Step(shows: #"^>  com\.example\.cli +running"#, type: "c"),
                Step(shows: #"^cancel the run of com\.example\.cli\? y/n"#, type: "y"),
                Step(shows: "^nothing runs, and nothing waits", type: "q"),
            ], state: state, rows: 24)
        #expect(dialog.status == 0)
        #expect(serve.end(SIGTERM) == 0)
    }

    @Test(
        "gives the terminal back at each end",
        arguments: [("q", nil), ("\u{03}", nil), ("", SIGTERM), ("", SIGINT), ("", SIGHUP)] as [(String, Int32?)])
    func restores(_ keys: String, _ signal: Int32?) throws {
        let dialog = try TerminalDialog.run(
            [
                "/bin/sh", "-c", #"trap : INT TERM HUP; "$0" top --state "$1"; echo "status $?"; stty -a"#,
                Places.taskhost.path, host.state.path,
            ], [Step(shows: "^nothing runs, and nothing waits", type: keys, signal: signal)])
        let rest = try #require(dialog.output.components(separatedBy: "\u{1B}[?25h\u{1B}[?1049l").last)
        #expect(rest.contains("status 0") && rest.contains(" icanon") && rest.contains(" echo "), "\(dialog.output)")
    }

    @Test("says on a dumb terminal what it does instead, and writes a plain line for each event")
    func dumb() throws {
        let dialog = try TerminalDialog.run(
            [
                "/bin/sh", "-c",
                """
                trap : INT; export TERM=dumb
                (for turn in $(seq 60); do "$0" run com.example.good --state "$1" >/dev/null 2>&1; done) &
                "$0" top --state "$1"; echo "status $?"
                """, Places.taskhost.path, host.state.path,
            ],
            [
                Step(
                    shows: "^taskhost: the terminal is dumb: each event is a line, until Ctrl-C; .*taskhost top --once"),
                Step(shows: #"^[-0-9]+ .*  run\.[a-z]+  com\.example\.good"#, type: "\u{03}"),
                Step(shows: "status 0"),
            ])
        #expect(!dialog.output.contains("\u{1B}"), "\(dialog.output)")
    }

    @Test("gives it back while it is stopped, and draws again when it continues")
    func stops() throws {
        let dialog = try top([
            Step(shows: "^nothing runs, and nothing waits", type: "\u{1A}", stops: true),
            Step(shows: "^nothing runs, and nothing waits", type: "q"),
        ])
        let places = dialog.output.matches(of: /\x{1B}\[\?1049[hl]/).map { String($0.output.suffix(1)) }
        #expect(dialog.status == 0 && places == ["h", "l", "h", "l"], "\(dialog.output)")
    }
}
