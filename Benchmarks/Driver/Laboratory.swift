import Foundation

/// Runs taskhost and the references, each in a fresh folder, interleaved.
final class Laboratory {
    let options: Options
    private var folders = 0
    private let scratch: String
    /// Folders that are removed when `keepingFolders` ends; nil: each is as soon as it is done with.
    private var kept: [String]?

    init(_ options: Options) {
        self.options = options
        scratch = "\(options.references)/scratch"
    }

    // MARK: Programs

    /// A new empty folder on the disk that the build lies on; removed after `body`.
    func withFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
        folders += 1
        let folder = "\(scratch)/\(ProcessInfo.processInfo.processIdentifier)-\(folders)"
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw BenchmarkError.failed("\(folder) cannot be made: \(error.localizedDescription)")
        }
        kept?.append(folder)
        defer { if kept == nil { try? FileManager.default.removeItem(atPath: folder) } }
        return try body(folder)
    }

    /// Removes the folders of `body` after it. An ext4 without a journal looks past every inode that was freed in the last
    /// seconds when it makes a file: whoever comes after the removal of a thousand would pay for it.
    func keepingFolders<Value>(_ body: () throws -> Value) throws -> Value {
        kept = []
        defer {
            for folder in kept ?? [] { try? FileManager.default.removeItem(atPath: folder) }
            kept = nil
        }
        return try body()
    }

    func taskhost(_ identifiers: [String], state: String, _ more: [String]) -> Command {
        Command(
            path: "\(options.binaries)/taskhost",
            arguments: ["run"] + identifiers + ["--manifests", options.plugins, "--state", state, "--json"] + more)
    }

    /// Runs of ours, all of which have to succeed.
    func runs(
        of identifiers: [String], repeat count: Int, concurrency: Int
    ) throws -> SummaryDocument.Summary {
        try withFolder { state in
            let command = taskhost(
                identifiers, state: state, ["--repeat", "\(count)", "--concurrency", "\(concurrency)"])
            let summary = try command.decode(SummaryDocument.self).summary
            guard summary.outcomes["succeeded"] == summary.runs else {
                throw BenchmarkError.failed("not every run succeeded: \(summary.outcomes)")
            }
            return summary
        }
    }

    /// Runs of the C host.
    func chost(
        runs: Int, inFlight: Int, unanswered: Int = 4, persistence: String = "full"
    ) throws -> SummaryDocument.Summary {
        try withFolder { folder in
            try reference(
                "chost",
                [
                    "--runs", "\(runs)", "--in-flight", "\(inFlight)", "--unanswered", "\(unanswered)",
                    "--persistence", persistence, "--database", "\(folder)/chost.sqlite", "--library",
                    "\(options.plugins)/libBenchNoop.so",
                ]
            ).decode(SummaryDocument.self).summary
        }
    }

    /// Scheduler and store in a process of their own.
    func requests(_ measurement: String, _ arguments: [String]) -> Command {
        Command(path: "\(options.binaries)/taskhost-bench-requests", arguments: [measurement] + arguments)
    }

    func reference(_ name: String, _ arguments: [String]) -> Command {
        Command(path: "\(options.references)/\(name)", arguments: arguments)
    }

    /// Keeps both cores busy during `body`.
    func withBusyCores<Value>(_ body: () throws -> Value) throws -> Value {
        let input = Pipe()
        let spin = try reference("spin", ["\(ProcessInfo.processInfo.activeProcessorCount)"]).start(input: input)
        defer {
            try? input.fileHandleForWriting.close()
            spin.waitUntilExit()
        }
        return try body()
    }

    // MARK: Rounds

    /// Runs ours and the references in turn: A B C, then C B A, and so on. Returns one list of samples for each.
    func interleaved<Sample>(
        _ contestants: [() throws -> Sample]
    ) throws -> [[Sample]] {
        var samples: [[Sample]] = contestants.map { _ in [] }
        for round in 0..<options.rounds {
            let order = Array(contestants.indices)
            for index in round.isMultiple(of: 2) ? order : order.reversed() {
                samples[index].append(try contestants[index]())
            }
        }
        return samples
    }
}
