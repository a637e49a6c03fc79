import Foundation
import Glibc
import TestSupport
import Testing

@Suite("taskhost ui")
final class UIVerbTests {
    private let host: ScriptedHost

    init() throws { host = try ScriptedHost() }
    deinit { host.stop() }

    private typealias Step = TerminalDialog.Step

    /// A folder with an xdg-open that writes down what it is asked to open, and ends with that status.
    private func opener(_ status: Int) throws -> Folder {
        let folder = try Folder()
        let script = """
            #!/bin/sh
            echo noise; echo noise >&2
            echo "$@" >>\(folder.path)/opened
            echo done >\(folder.path)/done
            exit \(status)

            """
        guard mkfifo(folder.file("done").path, 0o600) == 0 else { throw Problem("mkfifo") }
        try folder.writeProgram("xdg-open", script)
        return folder
    }

    private func start(_ words: String..., opener: Folder? = nil, display: String = "") throws -> Program {
        let path = (opener.map { $0.path + ":" } ?? "") + "/usr/bin:/bin"
        return try Program(
            Places.taskhost.path, ["ui", "--state", host.state.path] + words,
            environment: ["PATH": path, "DISPLAY": display, "WAYLAND_DISPLAY": ""], keepsErrorsApart: true)
    }

    private static let link = #"^http://127\.0\.0\.1:[0-9]+/#token=[0-9a-f]{64}\r?$"#

    @Test("prints another link for Enter on a terminal, and ends with Ctrl-C")
    func terminal() throws {
        let dialog = try TerminalDialog.run(
            [Places.taskhost.path, "ui", "--no-open", "--state", host.state.path],
            [
                Step(shows: Self.link + #"(.|\n)*Enter prints another"#, type: "\n"),
                Step(
                    shows: #"(http[^#]*#token=(.|\n)*){2}Enter prints"#,
                    type: "x" + String(repeating: "\n", count: 30)),
                // It may drop lines that the program knows of and has not read.
                Step(shows: #"(http[^#]*#token=(.|\n)*){3}Enter prints"#, type: "\u{3}"),
            ])
        let links = dialog.output.matches(of: /#token=([0-9a-f]{64})/).map { String($0.1) }
        #expect(links.count >= 3 && Set(links).count == links.count, "\(dialog.output)")
        #expect(dialog.status == 0)
    }

    @Test("ends with status 0 for each signal that asks for it", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(_ signal: Int32) throws {
        let program = try start("--no-open")
        try program.wait(forText: "Ctrl-C ends this")
        #expect(!program.errors.contains("Enter"), "there is no terminal")
        try program.signal(signal)
        let end = try program.finish()
        #expect(end.status == 0 && end.signal == nil)
    }

    @Test("opens the link where there is a desktop, and keeps serving whatever the browser does")
    func opens() throws {
        for (status, words, display, isOpened) in [
            (0, [], ":0", true), (3, [], ":0", true), (0, ["--no-open"], ":0", false), (0, [], "", false),
        ] as [(Int, [String], String, Bool)] {
            let folder = try opener(status)
            let program =
                words.isEmpty
                ? try start(opener: folder, display: display) : try start(words[0], opener: folder, display: display)
            try program.wait(forText: "Ctrl-C ends this")
            if isOpened {
                _ = try Command.run("cat", [folder.file("done").path])
                #expect(try String(contentsOf: folder.file("opened"), encoding: .utf8) == program.output)
            }
            if status != 0 { try program.wait(forText: "no browser was opened; xdg-open failed; open the link") }
            try program.signal(SIGTERM)
            let end = try program.finish()
            #expect(end.status == 0 && !end.output.contains("noise") && !end.errors.contains("noise"))
            #expect(FileManager.default.fileExists(atPath: folder.file("opened").path) == isOpened)
        }
    }

    @Test("says so when what opens links cannot be started")
    func cannotOpen() throws {
        let folder = try opener(0)
        // As long as somebody writes it (ETXTBSY of execve(2)).
        let writer = try FileHandle(forWritingTo: folder.file("xdg-open"))
        defer { try? writer.close() }
        let program = try start(opener: folder, display: ":0")
        try program.wait(
            forText: "no browser was opened; xdg-open cannot be started: Text file busy; open the link yourself")
        try program.signal(SIGTERM)
        #expect(try program.finish().status == 0)
    }

    @Test("takes the port that it is given, and says when it cannot")
    func ports() throws {
        let first = try start("--no-open", "--json")
        try first.wait(until: { $0.hasSuffix("}\n") }, for: "a document")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any])
        #expect(Set(document.keys) == ["url", "port", "readOnly"] && first.errors.isEmpty)
        let port = try #require(document["port"] as? Int)
        let second = try start("--no-open", "--port", "\(port)").finish()
        #expect(second.status == 73 && second.errors.contains("the page cannot be served; ") && second.output.isEmpty)
        try first.signal(SIGTERM)
        #expect(try first.finish().status == 0)
        // It is free at once, whatever connections were left.
        let third = try start("--no-open", "--port", "\(port)")
        try third.wait(until: { $0.contains(":\(port)/#token=") }, for: "the link")
        try third.signal(SIGTERM)
        #expect(try third.finish().status == 0)
        for value in ["0", "65536", "x", "-1"] {
            let tool = try Tool.run("ui", "--port", value, "--state", host.state.path)
            tool.expectSentence(["--port does not take this; \(value)", "from 1 to 65535"], status: 64)
        }
        try Tool.run("ui", "x", "--state", host.state.path).expectSentence(["ui takes no words; x"], status: 64)
    }

    @Test("says that no daemon serves")
    func noDaemon() throws {
        let folder = try Folder()
        for words in [[], ["--json"]] {
            let tool = try Tool.run(["ui", "--no-open", "--state", folder.path] + words)
            tool.expectSentence(["no host serves this state", folder.path, "taskhost serve"], status: 69)
        }
    }
}
