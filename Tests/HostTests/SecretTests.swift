import Foundation
import Glibc
import TestSupport
import Testing

/// Secrets of runs, end to end: which processes get them, and which files are refused.
@Suite("A run's secrets")
struct SecretTests {
    private static let task = "com.example.secret.task"
    private let station: Station
    private let file: URL

    init() throws {
        station = try Station()
        file = station.folder.file("token")
    }

    private func write(_ text: String, mode: Int = 0o600) throws {
        try station.folder.write("token", text)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    private func add(_ script: String, secret: String? = nil, others: [String: Any] = [:]) throws {
        var tasks: [String: Any] = others
        tasks[Self.task] = [
            "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]], "budget": ["wallClock": "30s"],
            "secrets": ["token": secret ?? file.path],
        ]
        try station.add(ManifestText(members: ["identifier": "com.example.secret", "tasks": tasks]))
    }

    private func run(_ task: String = Self.task) throws -> (run: RunDocument, text: String) {
        let report = try station.run(task)
        let run = try #require(report.runs.first, "\(report.command)")
        return (run, run.outcome == "refused" ? "" : try station.logs(run).text)
    }

    @Test("are read from descriptors: each run has the file's current text, and no other process has it")
    func rotation() throws {
        try add(
            """
            read -r text <&$TASKHOST_SECRET_TOKEN_FD; echo "${#text} ${text%%-*}"; echo "$TASKHOST_SECRET_TOKEN_FD"
            echo more >&$TASKHOST_SECRET_TOKEN_FD || echo sealed; env 2>/dev/null | while read -r l; do case $l in *hush*) \
            echo leaked;; esac; done
            """,
            others: [
                "com.example.secret.other": [
                    "kind": "processing",
                    "handler": [
                        "command": ["/bin/sh", "-c", "echo ${TASKHOST_SECRET_TOKEN_FD:-none}; true <&4 || echo closed"]
                    ],
                ] as [String: Any]
            ])
        for secret in ["first-hush", "second-hush-hush"] {
            try write(secret + "\n")
            let (run, text) = try run()
            #expect(run.outcome == "succeeded", "\(run) \(text)")
            #expect(text.contains("\(secret.count) \(secret.prefix { $0 != "-" })"), "\(text)")
            #expect(text.contains("sealed") && !text.contains("hush") && !text.contains("leaked"), "\(text)")
        }
        let other = try run("com.example.secret.other")
        #expect(other.text.contains("none") && other.text.contains("closed"), "\(other)")
        let record = try Data(contentsOf: URL(filePath: station.state).appending(path: "taskhost.db"))
        #expect(record.range(of: Data("hush".utf8)) == nil)
    }

    /// A file that is not handed over.
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var word: String
        /// Makes it, from a sound file at the second path.
        var make: @Sendable (_ path: String, _ sound: String) throws -> Void
    }

    static let rows = [
        Row(testDescription: "a missing one", word: "does not exist") { _, _ in },
        Row(testDescription: "one that others may read", word: "chmod o=") { path, sound in
            try FileManager.default.copyItem(atPath: sound, toPath: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: path)
        },
        Row(testDescription: "a link", word: "symbolic link") {
            try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $1)
        },
        Row(testDescription: "a second name", word: "another name") {
            try FileManager.default.linkItem(atPath: $1, toPath: $0)
        },
        Row(testDescription: "a pipe", word: "not a regular file") { path, _ in
            guard mkfifo(path, 0o600) == 0 else { throw Problem("mkfifo") }
        },
        Row(testDescription: "a folder", word: "not a regular file") { path, _ in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        },
        Row(testDescription: "one that is too long", word: "1048576") { path, _ in
            try Data(count: 1 << 20 | 1).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        },
    ]

    @Test("keep the handler from starting, in one sentence, when the file must not be handed over", arguments: rows)
    func refused(_ row: Row) throws {
        try write("sound\n")
        let path = station.folder.file("other").path
        try row.make(path, file.path)
        try add("echo started", secret: path)
        let (run, text) = try run()
        #expect(run.outcome == "refused" && !text.contains("started"), "\(run) \(text)")
        let sentence = "\(run.diagnostics)"
        #expect(
            sentence.contains("the secret token cannot be handed over") && sentence.contains(row.word), "\(sentence)")
    }

    private struct Explanation: Decodable {
        var summary: String
        var faults: [String]
    }
    private struct Description: Decodable { var faults: [String] }
    private struct Outlook: Decodable {
        struct Refusal: Decodable {
            var identifier: String
            var fault: String
        }
        var refused: [Refusal]
    }

    @Test("are missed before the run: by validate, why, describe and forecast", arguments: rows)
    func foreseen(_ row: Row) throws {
        try write("sound\n")
        let path = station.folder.file("other").path
        try row.make(path, file.path)
        try add("true", secret: path)
        let manifests = ["--manifests", station.manifestFolder.path]
        let checked = try Command.run(Places.taskhost, ["validate", station.manifestFolder.path])
        #expect(checked.status == 65, "\(checked)")
        #expect(
            checked.output.contains("$.tasks[\"\(Self.task)\"].secrets.token") && checked.output.contains("^~")
                && checked.output.contains(row.word), "\(checked)")
        for words in [["why", Self.task], ["describe", Self.task], ["forecast"]] {
            let answer = try station.start(words + manifests, manifests: false).finish()
            #expect(answer.succeeded, "\(answer)")
            let text = answer.output + answer.errors
            #expect(
                text.contains("the secret token cannot be handed over") && text.contains(row.word),
                "\(answer)")
        }
    }

    @Test("that are missing are reported by a daemon as long as they are")
    func told() throws {
        try add("true")
        let daemon = try Daemon(station)
        for isThere in [false, true] {
            if isThere { try write("here") }
            let why = try daemon.ask(Explanation.self, "why", Self.task)
            let application = try daemon.tell("why", "com.example.secret")
            let faults = try daemon.ask(Description.self, "describe", Self.task).faults
            let refused = try daemon.ask(Outlook.self, "forecast").refused
            let isTold = application.contains("the secret token cannot")
            if isThere {
                #expect(why.faults.isEmpty && faults.isEmpty && refused.isEmpty && !isTold)
                #expect(!why.summary.contains("refused"))
            } else {
                #expect(why.faults.count == 1 && faults == why.faults && refused.map(\.fault) == faults && isTold)
                #expect(refused.map(\.identifier) == [Self.task])
                #expect(why.summary.hasSuffix("; it would be refused: \(why.faults.first ?? "-")"), "\(why)")
            }
            #expect(
                try daemon.ask(Outlook.self, "forecast", "--manifests", station.manifestFolder.path).refused.count
                    == refused.count)
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("of the largest size arrive whole")
    func largest() throws {
        try write(String(repeating: "x", count: 1 << 20))
        try add("read -r text <&$TASKHOST_SECRET_TOKEN_FD; echo ${#text}")
        #expect(try run().text.contains("1048576"))
    }

    @Test("reach a library by its service, and no later run of the same process")
    func library() throws {
        try write("first")
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.secret",
                "library": try Places.built.get().appending(path: "libsecrets.so").path,
                "tasks": [
                    Self.task: ["kind": "processing", "handler": "tell_secrets", "secrets": ["token": file.path]],
                    "com.example.secret.other": ["kind": "processing", "handler": "tell_secrets"],
                ] as [String: Any],
            ]))
        let daemon = try Daemon(station)
        func tell(_ task: String) throws -> String {
            let ends = daemon.count("run.ended", task)
            let command = try station.start(["run", task, "--quiet"], manifests: false).finish()
            #expect(command.succeeded, "\(command)")
            try daemon.wait(for: "run.ended", task, count: ends + 1)
            let run = try #require(try station.history().last)
            #expect(run.outcome == "succeeded", "\(run)")
            return try station.logs(run).text
        }
        #expect(try tell(Self.task).contains("5 [first] [first] none sealed"))
        #expect(try tell("com.example.secret.other").contains("-1 [] [] none open"))
        try write("the second")
        #expect(try tell(Self.task).contains("10 [the second] [the second] none sealed"))
        #expect(try daemon.stop().status == 0)
    }
}
