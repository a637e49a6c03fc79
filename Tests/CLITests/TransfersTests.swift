import Foundation
import Testing

@Suite("taskhost transfers")
final class TransfersTests {
    let host: ScriptedHost

    init() throws { host = try ScriptedHost() }
    deinit { host.stop() }

    private func ask(_ arguments: String...) throws -> Tool {
        try Tool.run(["transfers"] + arguments + ["--state", host.state.path])
    }

    @Test("lists what runs and what waits, and with --all what has ended")
    func list() throws {
        let list = try ask("--utc")
        #expect(list.status == 0, "\(list.errors)")
        let lines = list.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        #expect(lines.count == 3)
        #expect(lines[0].joined(separator: " ") == "ID APPLICATION STATE SIZE RATE LEFT URL")
        #expect(
            lines[1].joined(separator: " ")
                == "2 com.example.app tries again at 2026-03-01T12:00:09.000Z 4 MiB of 16 MiB - - "
                + "https://example.com/a.zip"
        )
        #expect(
            lines[2].joined(separator: " ")
                == "1 com.example.app running 4 MiB of 16 MiB 1 MiB/s 12 s https://example.com/a.zip")
        #expect(try ask("--all", "--for", "com.example.app").output.contains("failed: timedOut"))
        #expect(try ask("--for", "com.example.other").errors == "no open transfers\n")
        try ask("--for", "com.example.none").expectSentence(
            ["there is no such application", "com.example.none"], status: 64)
        let document = try ask("--all", "--json").document
        #expect((document["transfers"] as? [[String: Any]])?.count == 3)
    }

    @Test("shows one with attempts, status, address and next try")
    func show() throws {
        let waiting = try ask("show", "2", "--utc").output
        for fact in [
            "session      albums, task 7", "progress     [#####---------------]  25 %  4 MiB of 16 MiB",
            "attempts     2",
            "HTTP status  206", "address      192.0.2.7:443", "next try     2026-03-01T12:00:09.000Z",
            "last fault   the connection was lost",
        ] {
            #expect(waiting.contains(fact), "\(fact) in \(waiting)")
        }
        let failed = try ask("show", "3").output
        #expect(
            failed.contains("error        timedOut (-1001)") && failed.contains("because      nothing came for 60 s"))
        #expect(try ask("show", "1", "--json").document["rate"] as? Int == 1_048_576)
        try ask("show", "9").expectSentence(["there is no such transfer; 9", "see taskhost transfers"], status: 64)
    }

    @Test("pauses, resumes and cancels several")
    func change() throws {
        #expect(
            try ask("pause", "1", "2").output == """
                transfer 1 of com.example.app: paused, 25 %; https://example.com/a.zip
                transfer 2 of com.example.app: paused, 25 %; https://example.com/a.zip

                """)
        #expect(try ask("resume", "1").output.contains("transfer 1 of com.example.app: running, 25 %"))
        #expect(try ask("cancel", "1").output.contains("transfer 1 of com.example.app: cancelled; "))
        try ask("pause", "3").expectSentence(["the transfer is over; 3"], status: 64)
    }

    @Test(
        "add --wait ends with its outcome",
        arguments: [
            ("none", 0, "done; https"), ("now", 0, "done; https"), ("timedOut", 1, "failed: timedOut"),
            ("cancelled", 16, "cancelled; https"),
        ] as [(String, Int32, String)])
    func wait(_ end: String, _ status: Int32, _ words: String) throws {
        let tool = try ask("add", "https://example.com/\(end)", "--for", "com.example.app", "--wait")
        #expect(tool.status == status && tool.output.contains(words), "\(tool)")
        if end == "none" { #expect(tool.output.hasSuffix("; /srv/cache/taskhost-4.download\n")) }
        if end == "timedOut" { #expect(tool.errors == "taskhost: nothing came for 60 s\n") }
    }

    @Test("add --wait counts a server's status of 400 and more as a failure, and never repeats a header's value")
    func headers() throws {
        let header = "Authorization: Bearer headersecret"
        let tool = try ask(
            "add", "https://example.com/none", "--for", "com.example.app", "--wait", "--header", header, "--json")
        #expect(try tool.status == 1 && tool.document["status"] as? Int == 404)
        for wrong in [["Bearer headersecret"], [": headersecret"], [header, header], [header, header.lowercased()]] {
            let refused = try Tool.run(
                ["transfers", "add", "https://example.com/x", "--for", "com.example.app", "--state", host.state.path]
                    + wrong.flatMap { ["--header", $0] })
            #expect(refused.status == 64)
            if wrong != ["Bearer headersecret"] {
                #expect(!refused.errors.contains("headersecret"), "\(refused.errors)")
            }
        }
    }

    @Test("add without --wait ends once it is on record, and a refusal has status 17")
    func add() throws {
        let tool = try ask("add", "https://example.com/x", "--for", "com.example.app")
        #expect(tool.output == "transfer 4 of com.example.app: running, 25 %; https://example.com/a.zip\n")
        try ask("add", "https://example.com/refused", "--for", "com.example.app")
            .expectSentence(["no room"], status: 17)
    }

    @Test(
        "fits the screen: what is least needed goes first",
        arguments: [(200, true, true), (80, false, true), (60, false, false)])
    func width(_ columns: Int, _ hasBar: Bool, _ hasURL: Bool) throws {
        let script = """
            import fcntl, os, pty, struct, sys, termios
            pid, terminal = pty.fork()
            if pid == 0:
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, int(sys.argv[1]), 0, 0))
                os.environ.update(TERM="xterm", NO_COLOR="1")
                os.execv(sys.argv[2], sys.argv[2:])
            try:
                while seen := os.read(terminal, 4096): sys.stdout.buffer.write(seen)
            except OSError: pass
            os.waitpid(pid, 0)
            """
        let tool = try Tool.execute(
            "/usr/bin/python3",
            ["-c", script, "\(columns)", Places.taskhost.path, "transfers", "--once", "--state", host.state.path])
        let lines = tool.output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 3 && lines.allSatisfy { $0.count <= columns }, "\(tool.output)\(tool.errors)")
        #expect(lines[2].contains("25 %") && lines[2].contains("4 MiB of 16 MiB") && lines[2].contains("1 MiB/s"))
        #expect(lines[2].contains("[#####") == hasBar && lines[2].contains("https://exam") == hasURL, "\(lines[2])")
    }

    @Test("does all ids, a line each, whatever is wrong with one; the exit status is the largest")
    func several() throws {
        let tool = try ask("pause", "1", "3", "2")
        #expect(tool.status == 64)
        #expect(tool.output.split(separator: "\n").map { $0.prefix(10) } == ["transfer 1", "transfer 2"])
        #expect(tool.errors == "taskhost: the transfer is over; 3; see it\n")
        let document = try ask("pause", "3", "2", "--json")
        #expect(try document.status == 64 && (document.document["transfers"] as? [Any])?.count == 1)
    }

    @Test(
        "says what is wrong with its words and options",
        arguments: [
            (["drop", "1"], "unknown word drop"), (["show"], "one transfer is needed"),
            (["pause"], "a transfer is needed"),
            (["cancel", "../x"], "this is not a transfer's id; ../x"), (["add"], "one URL is needed"),
            (["add", "https://a.example/"], "an application is needed"),
            (["show", "1", "--wait"], "--wait is for something"),
            (["--watch", "--once"], "say two things"), (["--limit", "0"], "--limit does not take this; 0"),
        ] as [([String], String)])
    func misuse(_ words: [String], _ sentence: String) throws {
        try Tool.run(["transfers"] + words + ["--state", host.state.path]).expectSentence([sentence], status: 64)
    }

    @Test("--watch and --wait need a host that serves")
    func unserved() throws {
        let state = try Folder()
        for words in [["--watch"], ["add", "https://a.example/", "--for", "com.example.app", "--wait"]] {
            let tool = try Tool.run(["transfers"] + words + ["--state", state.path])
            #expect(tool.status == 69 && tool.errors.contains("taskhost serve"), "\(tool.errors)")
        }
    }
}
