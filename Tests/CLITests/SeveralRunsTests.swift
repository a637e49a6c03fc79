import Foundation
import Testing

/// Several runs that one `run` waits for: whose each line is, and what runs.
@Suite("Several runs at once", .plainBuild)
struct SeveralRunsTests {
    private func folder(_ commands: [String: String]) throws -> Folder {
        let folder = try Folder()
        let tasks = commands.map {
            #""\#($0)": {"kind": "processing", "budget": {"wallClock": "50s"}, "handler": {"command": ["/bin/sh", "-c", "\#($1)"]}}"#
        }
        try folder.write(
            "m/com.example.many.json",
            #"{"identifier": "com.example.many", "tasks": {\#(tasks.joined(separator: ", "))}}"#)
        return folder
    }

    private static let two = [
        "com.example.many.first": "echo one; echo two", "com.example.many.second.one": "printf 'no end'",
    ]

    @Test("have their short names before each line, and one alone has none")
    func names() throws {
        let folder = try folder(Self.two)
        func run(_ words: String...) throws -> Tool {
            try Tool.run(["run", "--manifests", "m", "--state", "state"] + words, in: folder)
        }
        let both = try run("--all")
        #expect(both.status == 0, "\(both)")
        #expect(both.errors.contains("first | one\nfirst | two\n"), "\(both)")
        #expect(both.errors.contains("one   | no end\n"), "\(both)")
        let alone = try run("com.example.many.first")
        #expect(alone.errors.hasPrefix("one\ntwo\n"), "\(alone)")
        #expect(try !run("--all", "--quiet").errors.contains(" | "))
        #expect(try !run("--all", "--json").errors.contains(" | "))
    }

    @Test("have a line each on a terminal, with what is left of the budget, until their ends")
    func board() throws {
        let folder = try Plugin.folder(handler: "wait")
        try folder.write("m/good.json", try Plugin.manifest("com.example.good", handler: "wait"))
        let dialog = try TerminalDialog.run(
            [
                Places.taskhost.path, "run", "--all", "--manifests", folder.file("m").path, "--state",
                folder.file("state").path,
            ],
            [
                .init(shows: #"cli {3}\d+ s {2}\d+ s left"#),
                .init(shows: #"good {2}\d+ s {2}\d+ s left"#, type: "\u{03}"),
            ])
        #expect(dialog.status == 16, "\(dialog.output)")
        // The lines are cleared, the last one first.
        #expect(dialog.output.contains("\r\u{1B}[K\u{1B}[A\u{1B}[K"))
    }
}
