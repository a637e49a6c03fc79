import Foundation
import Glibc
import Setting
import TestSupport

/// A host's place in the world: its own state folder and manifests, and the built programs to run on them.
final class Station {
    let folder: Folder
    let state: String
    /// Everything that comes from a host of this station has it in its environment, as the value of TZ: the one variable
    /// that passes unchanged from the command line to zygotes and workers. It names the file of the host's time zone, UTC
    /// as long as there is none.
    private let marker: String
    private let user: UInt32?
    private let program: String
    private var manifests: [String] = []
    private var configuration: [String: Any] = [:]
    /// What its programs are started by: a program that becomes the one its last words name.
    var starter: [String] = []

    /// - Parameters:
    ///   - user: runs the programs, copies that every user reaches; nil: this process's own user.
    ///   - state: its state folder; nil: one in a new folder.
    init(user: UInt32? = nil, state: String? = nil) throws {
        folder = try Folder()
        marker = ":" + folder.file("localtime").path
        self.state = state ?? folder.file("state").path
        self.user = user
        guard let user else {
            program = try Places.taskhost
            return
        }
        program = try Places.programs.get().appending(path: "taskhost").path
        for path in [folder.file("home").path, self.state] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard chown(path, user, user) == 0 else { throw Problem("chown \(path)") }
        }
    }

    // MARK: What it has

    /// The folder of its manifests, for a daemon that watches it.
    var manifestFolder: URL { folder.file("manifests") }

    /// Adds a manifest and returns it.
    @discardableResult
    func add(_ manifest: ManifestText) throws -> ManifestText {
        if let library = manifest.companion {
            let copy = folder.file("manifests/\(library.lastPathComponent)")
            if !FileManager.default.fileExists(atPath: copy.path) {
                try folder.write("manifests/\(library.lastPathComponent)", Data(contentsOf: library))
            }
        }
        manifests.append(try folder.write("manifests/\(manifest.identifier).json", manifest.data).path)
        return manifest
    }

    @discardableResult
    func add(fixture name: String) throws -> ManifestText { try add(ManifestText(fixture: name)) }

    /// Sets a key of the host's configuration.
    func configure(_ key: String, _ value: Any) throws {
        configuration[key] = value
        try folder.write("config.json", JSONSerialization.data(withJSONObject: configuration))
    }

    /// Waits until some of the unfinished file of a transfer is written.
    func waitForPart(_ id: Int64, of application: String) throws {
        let part = state + "/applications/\(application)/transfers/\(id).part"
        // Learns about each write. It ends when it can no longer write, which is at once.
        let script = "tail -c +1 -F \"$0\" 2>/dev/null | head -c 1 | wc -c"
        let command = try Program("sh", ["-c", script, part]).finish()
        guard command.succeeded else { throw TestSupport.Problem("no byte of \(part): \(command)") }
    }

    // MARK: Running

    /// Starts `taskhost` on its state, manifests and configuration, as far as the verb takes them.
    func start(
        _ arguments: [String], environment: [String: String] = [:], manifests isNaming: Bool = true
    ) throws -> Program {
        var words = arguments + ["--state", state]
        if isNaming, let verb = arguments.first, ["run", "serve"].contains(verb) {
            let paths = verb == "serve" ? [manifestFolder.path] : manifests
            words += paths.flatMap { ["--manifests", $0] }
            if !configuration.isEmpty { words += ["--config", folder.file("config.json").path] }
        }
        var variables = environment
        variables["TZ"] = marker
        var program = program
        if let user {
            words = ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", program] + words
            program = "setpriv"
            variables["HOME"] = folder.file("home").path
        }
        if let first = starter.first {
            words = starter.dropFirst() + [program] + words
            program = first
        }
        return try Program(program, words, environment: variables, keepsErrorsApart: true)
    }

    /// What `taskhost run --json` said.
    struct Report {
        var command: Command
        var runs: [RunDocument]

        /// The one run of that task.
        subscript(identifier: String) -> RunDocument? {
            let matching = runs.filter { $0.identifier == identifier }
            return matching.count == 1 ? matching[0] : nil
        }
    }

    /// Runs tasks to their end.
    func run(_ words: String..., environment: [String: String] = [:], patience: Patience = Patience()) throws
        -> Report
    {
        try finish(try start(["run", "--json"] + words, environment: environment), patience: patience)
    }

    /// Waits for a `run --json` that was started.
    func finish(_ program: Program, patience: Patience = Patience()) throws -> Report {
        let command = try program.finish(patience: patience)
        guard command.output.hasPrefix("{\"runs\":") else { return Report(command: command, runs: []) }
        return Report(command: command, runs: try Self.decode(RunDocument.List.self, command).runs)
    }

    /// What a verb that prints one document says.
    func ask<Answer: Decodable>(_ type: Answer.Type, _ words: String...) throws -> Answer {
        let command = try start(words + ["--json"]).finish()
        guard command.succeeded else { throw Problem("\(words): \(command.status) \(command.errors)") }
        return try Self.decode(type, command)
    }

    private static func decode<Answer: Decodable>(_ type: Answer.Type, _ command: Command) throws -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(command.output.utf8))
        } catch {
            throw Problem("\(error): \(command.output)")
        }
    }

    /// The whole record, oldest first.
    func history() throws -> [RunDocument] {
        try ask(RunDocument.List.self, "history", "--limit", "10000").runs.reversed()
    }

    /// What the run printed, and how many bytes of it were not kept.
    func logs(_ run: RunDocument) throws -> (text: String, dropped: Int) {
        struct Answer: Decodable {
            var output: String
            var dropped: Int
        }
        let answer = try ask(Answer.self, "logs", run.run)
        return (answer.output, answer.dropped)
    }

    /// The lines that the run printed, each of one stream alone: the host may read the end of a line after one of the other
    /// stream that was printed later.
    func logLines(_ run: RunDocument) throws -> [String] {
        struct Answer: Decodable {
            struct Line: Decodable { var text: String }
            var lines: [Line]
        }
        return try ask(Answer.self, "logs", run.run).lines.map(\.text)
    }

    /// The run with its events and its confinement.
    func show(_ run: RunDocument) throws -> RunDocument { try ask(RunDocument.self, "show", run.run) }

    // MARK: What it leaves

    /// The processes that come from this station's hosts, those included that run now.
    func processes() -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let entry = Data("TZ=\(marker)\0".utf8)
        return names.compactMap { Int32($0) }.filter { pid in
            // A zombie no longer has an environment.
            (FileManager.default.contents(atPath: "/proc/\(pid)/environ")?.range(of: entry)) != nil
        }
    }

    /// The control-group folders of this station's hosts.
    func controlGroups() -> [String] {
        // The way that the state folder's name is turned into the groups' is the host's.
        let path = URL(filePath: state).resolvingSymlinksInPath().path
        guard let name = try? GroupNaming.parent(of: path) else { return [] }
        return Machine.controlGroupFolders.map { "\($0)/\(name)" }.filter { FileManager.default.fileExists(atPath: $0) }
    }
}
