import Foundation

/// A daemon with one application that may reach this machine, and a stream of what happens to its transfers.
final class TransferDaemon {
    private let daemon: Daemon
    private let state: String
    private var watcher: Process?
    private var news: FileHandle?
    private var unread = ""

    /// - Parameter manifest: of its one application.
    init(_ laboratory: Laboratory, in folder: String, manifest: String = "transfers") throws {
        state = "\(folder)/state"
        let configuration = "\(folder)/configuration.json"
        try Data(
            #"{"transfers": {"concurrency": 32, "perApplication": 32, "perHost": 32}}"#.utf8
        ).write(to: URL(fileURLWithPath: configuration))
        daemon = try Daemon(
            laboratory, state: state, manifests: "\(laboratory.options.plugins)/transfers/\(manifest).json",
            ["--config", configuration])
    }

    deinit { watcher?.terminate() }

    var processIdentifier: Int32 { daemon.processIdentifier }

    // MARK: Asking

    /// Everything is fetched for the application, in one go.
    func add(_ urls: [String], requests file: String) throws {
        let requests = urls.map { url in
            """
            url = "http://localhost/v1/transfers"
            unix-socket = "\(state)/control.sock"
            json = "{\\"application\\": \\"\(Subject.transfers)\\", \\"url\\": \\"\(url)\\"}"
            output = "/dev/null"
            fail
            """
        }
        try Data(requests.joined(separator: "\nnext\n").utf8).write(to: URL(fileURLWithPath: file))
        let parallel = urls.count > 1 ? ["--parallel", "--parallel-max", "50"] : []
        let answer = try Command(path: "/usr/bin/curl", arguments: ["--silent", "--config", file] + parallel).run()
        guard answer.status == 0 else {
            throw BenchmarkError.failed("a transfer was refused; curl ended with status \(answer.status)")
        }
    }

    func overrideDevice(_ conditions: String) throws { try daemon.overrideDevice(conditions) }

    // MARK: An application

    /// Has an application fetch `0`, `1` and so on below the URL.
    ///
    /// - Returns: seconds from before it asked for the first of them until it had been told of the last.
    func fetch(_ count: Int, below url: String) throws -> Double {
        let payload = Data("\(count) \(url)".utf8).base64EncodedString()
        let body = #"{"identifiers": ["\#(Subject.fetch)"], "payload": "\#(payload)"}"#
        let answer = try daemon.curl(["--json", body, "http://localhost/v1/runs"]).run()
        guard answer.status == 0 else { throw BenchmarkError.failed("\(Subject.fetch) cannot be run") }
        let path = "\(state)/applications/\(Subject.fetching)/state/seconds"
        for _ in 0..<60_000 {
            if let text = try? String(contentsOfFile: path, encoding: .utf8), let seconds = Double(text.dropLast()) {
                return seconds
            }
            usleep(1000)
        }
        throw BenchmarkError.failed("\(count) files were not fetched within a minute")
    }

    // MARK: What happens

    /// Listens from now on. Into a file: the daemon drops who does not take its events as fast as they come.
    func watch() throws {
        let path = "\(state)/../events"
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let output = FileHandle(forWritingAtPath: path)
        else { throw BenchmarkError.failed("\(path) cannot be written") }
        let watcher = Process()
        watcher.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        watcher.arguments = [
            "--silent", "--no-buffer", "--unix-socket", "\(state)/control.sock", "http://localhost/v1/events",
        ]
        watcher.standardOutput = output
        watcher.standardInput = FileHandle.nullDevice
        try watcher.run()
        self.watcher = watcher
        news = FileHandle(forReadingAtPath: path)
    }

    /// Until so many transfers have ended; all of them well. It looks each millisecond.
    func waitForEnds(_ count: Int) throws {
        var left = count
        while left > 0 {
            unread += String(decoding: news?.availableData ?? Data(), as: UTF8.self)
            guard let end = unread.lastIndex(of: "\n") else {
                guard watcher?.isRunning == true else { throw BenchmarkError.failed("the daemon's events ended early") }
                usleep(1000)
                continue
            }
            let lines = unread[..<end].split(separator: "\n")
            unread = String(unread[unread.index(after: end)...])
            left -= lines.count { $0.hasPrefix("event: transfer.ended") }
            if let failed = lines.first(where: { $0.hasPrefix("data:") && $0.contains(#""error":""#) }) {
                throw BenchmarkError.failed("a transfer failed: \(failed.prefix(600))")
            }
        }
    }

    // MARK: What it costs

    /// Seconds that it and its children have had of the processors.
    func processorTime() throws -> Double {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
        let rows = all.compactMap { process in Self.row(of: process).map { (process, $0.parent, $0.ticks) } }
        var family: Set<Int32> = [processIdentifier]
        var grew = true
        while grew {
            grew = false
            for (process, parent, _) in rows where family.contains(parent) && family.insert(process).inserted {
                grew = true
            }
        }
        let ticks = rows.filter { family.contains($0.0) }.reduce(0) { $0 + $1.2 }
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Its parent, and what it and the children that it has waited for have had.
    private static func row(of process: Int32) -> (parent: Int32, ticks: Int)? {
        guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/stat") else { return nil }
        let text = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        // The name, in parentheses, may hold anything.
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 14, let parent = Int32(fields[1]) else { return nil }
        return (parent, fields[11...14].reduce(0) { $0 + (Int($1) ?? 0) })
    }
}
