import Foundation
import Testing

@Suite("Text that a plugin chooses", .plainBuild)
struct PrintableTests {
    /// The step of the handler `paint`, as a screen may show it.
    private static let step = #"33 %  step\ttext \u001b[31mred\n2nd \u009b1m\u007fend"#

    @Test("is escaped in the lines of run --watch and in the rows of top, and exact in JSON", arguments: [false, true])
    func watched(_ isServed: Bool) throws {
        let folder = try Plugin.folder(handler: "paint")
        let state = ["--state", folder.file("state").path]
        let manifests = ["--manifests", folder.file("m").path]
        let host = isServed ? try BackgroundTool(["serve"] + manifests + state) : nil
        if let host { try #require(host.waitFor("taskhost: serving ")) }
        let run = try BackgroundTool(["run", "com.example.cli", "--watch"] + (isServed ? [] : manifests) + state)
        #expect(run.waitFor("end\n"))
        #expect(run.seen.hasSuffix("  \(Self.step)\n"), "\(run.seen)")
        #expect(!run.seen.contains("\u{1B}"))
        if let host {
            let top = try folder.ask("top", "--once").output
            #expect(top.split(separator: "\n").contains { $0.hasSuffix("  \(Self.step)  1 of 3") }, "\(top)")
            let progress = try folder.ask("top", "--once", "--json").document["progress"] as? [[String: Any]]
            #expect(progress?.first?["text"] as? String == "step\ttext \u{1B}[31mred\n2nd \u{9B}1m\u{7F}end")
            _ = run.end(SIGTERM)
            #expect(host.end(SIGTERM) == 0)
        } else {
            _ = run.end(SIGTERM)
        }
    }

    @Test("is escaped in the line that moves on a terminal")
    func moving() throws {
        let folder = try Plugin.folder(handler: "paint")
        let script = """
            import fcntl, os, pty, signal, struct, sys, termios
            pid, terminal = pty.fork()
            if pid == 0:
                fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
                os.environ["TERM"] = "xterm"
                os.execv(sys.argv[1], sys.argv[1:])
            seen = b""
            while b"end" not in seen: seen += os.read(terminal, 4096)
            os.kill(pid, signal.SIGTERM)
            try:
                while os.read(terminal, 4096): pass
            except OSError: pass
            os.waitpid(pid, 0)
            sys.stdout.buffer.write(seen)
            """
        let run = try Tool.execute(
            "/usr/bin/python3",
            [
                "-c", script, Places.taskhost.path, "run", "com.example.cli", "--manifests", folder.file("m").path,
                "--state", folder.file("state").path,
            ])
        #expect(run.output.contains(Self.step), "\(run.output)\(run.errors)")
        // What clears the line is the program's own.
        #expect(!run.output.replacing("\u{1B}[K", with: "").contains("\u{1B}"))
    }

    @Test("is masked by logs on a terminal, and as it was printed in a pipe or when that is asked for")
    func logs() throws {
        let folder = try Folder()
        let program = ["/usr/bin/printf", #"a\tb\033[31mred\342\200\256\n2nd\n"#]
        let task: [String: Any] = ["kind": "processing", "handler": ["command": program]]
        let manifest: [String: Any] = ["identifier": "com.example.cli", "tasks": ["com.example.cli": task]]
        try folder.write(
            "m/com.example.cli.json",
            String(
                decoding: try JSONSerialization.data(withJSONObject: manifest), as: UTF8.self))
        #expect(try folder.run().status == 0)
        let printed = "a\tb\u{1B}[31mred\u{202E}\n2nd\n"
        #expect(try folder.ask("logs", "com.example.cli").output == printed)
        let script = """
            import os, pty, sys
            pid, terminal = pty.fork()
            if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
            seen = b""
            try:
                while more := os.read(terminal, 4096): seen += more
            except OSError: pass
            os.waitpid(pid, 0)
            sys.stdout.buffer.write(seen.replace(b"\\r\\n", b"\\n"))
            """
        func onTerminal(_ words: String...) throws -> String {
            try Tool.execute(
                "/usr/bin/python3",
                ["-c", script, Places.taskhost.path, "logs", "com.example.cli", "--state", folder.file("state").path]
                    + words
            ).output
        }
        #expect(try onTerminal() == #"a\#tb\u001b[31mred\u202e\#n2nd\#n"#)
        #expect(try onTerminal("--timestamps").contains(#"red\u202e"#))
        #expect(try onTerminal("--raw") == printed)
        #expect(try onTerminal("--raw", "--timestamps").contains("\u{1B}[31mred\u{202E}\n"))
    }
}
