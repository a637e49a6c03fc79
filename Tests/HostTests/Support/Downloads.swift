import Control
import Foundation
import Glibc
import JSON
import Linux
import TestSupport
import Testing

/// Files on a real web server, and a station with the application of `transfers.c` that downloads them in its session `s`.
struct Downloads {
    static let application = "org.taskhost.fixtures.transfers"
    static let task = application + ".work"
    let station: Station
    let web: WebServer
    let contents: [[UInt8]]
    private let rate: Int

    /// - Parameters:
    ///   - bytes: of each file.
    ///   - rate: bytes a second of each connection, after a first second's worth at once.
    init(files: Int, bytes: Int, rate: Int, state: String? = nil) throws {
        self.rate = rate
        web = try WebServer()
        station = try Station(state: state)
        var manifest = try ManifestText(fixture: "fixtures.transfers")
        manifest["permissions"] = ["network": ["127.0.0.1:\(web.port())"]]
        try station.add(manifest)
        try station.configure("suspendAfter", "100ms")
        var generator = SystemRandomNumberGenerator()
        contents = (0..<files).map { _ in (0..<bytes).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        for (number, content) in contents.enumerated() { try web.add("file\(number)", content) }
    }

    // MARK: Doing

    /// A user opens the application, and it begins all downloads; they are under way, and a run waits for their ends.
    func begin(_ daemon: Daemon) throws -> Program {
        try daemon.tell("foreground", Self.application)
        let urls = contents.indices.map { "download s \(web.url("throttled/file\($0)?rate=\(rate)"))" }
        let script = ["open s", "replay s"] + urls + ["await \(contents.count)"]
        let run = try station.start(
            ["run", Self.task, "--payload-text", script.joined(separator: "\n")], manifests: false)
        // As many as run at once to one host.
        try waitForResponses(min(6, contents.count))
        return run
    }

    /// What the application does when it is launched, from now on.
    func setLaunch(_ lines: String...) throws {
        try station.folder.write("launch", lines.joined(separator: "\n"))
        let target = state("launch").path
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: station.folder.file("launch").path, toPath: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target)
    }

    /// As when the machine loses its power: another boot, and of each part only what the record says is on disk. The host must
    /// not run.
    func loseWhatIsNotDurable() throws {
        let database = try SQLite(URL(filePath: station.state).appending(path: "taskhost.db"))
        let folder = URL(filePath: station.state).appending(path: "applications/\(Self.application)/transfers")
        let rows = "FROM transfers WHERE state < 5"
        for (id, durable) in try zip(database.column("SELECT id \(rows)"), database.column("SELECT durable \(rows)")) {
            let part = folder.appending(path: "\(id).part")
            guard let bytes = FileManager.default.contents(atPath: part.path) else { continue }
            let kept = Int(durable) ?? 0
            try (bytes.prefix(kept) + Data(count: max(0, bytes.count - kept))).write(to: part)
        }
        try Data("another".utf8).write(to: folder.appending(path: "boot"))
    }

    /// The application's process.
    func worker(of daemon: Daemon) throws -> Int32 {
        let all = Self.descendants(of: daemon.program.pid).filter { pid in
            // In whole: Foundation takes the first page for all of it.
            (try? FileText.read("/proc/\(pid)/maps"))?.contains("libtransfers.so") == true
        }
        return try #require(all.first, "the application does not run")
    }

    /// The process that transfers.
    func transferProcess(of daemon: Daemon) throws -> Int32 {
        let all = Self.descendants(of: daemon.program.pid).filter { pid in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe"))?
                .hasSuffix("/taskhost-transfer") == true
        }
        return try #require(all.first, "no taskhost-transfer runs")
    }

    private static func descendants(of pid: Int32) -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.flatMap { thread in
            let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/task/\(thread)/children") ?? Data()
            let children = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
            return children + children.flatMap { descendants(of: $0) }
        }
    }

    // MARK: Looking

    func state(_ name: String) -> URL {
        URL(filePath: station.state).appending(path: "applications/\(Self.application)/state/\(name)")
    }

    /// Every line that the application printed in all of its lives.
    var heard: [String] {
        let bytes = FileManager.default.contents(atPath: state("trace").path) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Transfers on record, of all states or of one. The host must not run.
    func recorded(state: Int? = nil) throws -> Int {
        let file = URL(filePath: station.state).appending(path: "taskhost.db")
        let condition = state.map { " WHERE state = \($0)" } ?? ""
        return Int(try SQLite(file).column("SELECT count(*) FROM transfers" + condition)[0]) ?? 0
    }

    /// Waits until the application has received so many responses, in all of its lives.
    func waitForResponses(_ count: Int) throws {
        try GrowingFile(state("trace").path).wait(for: "response s ", count: count) { $0.hasPrefix("response s ") }
    }

    /// Waits until the application was launched for the ends, has received all of them, and is at rest again.
    func waitForAll(_ daemon: Daemon) throws {
        try daemon.waitUntil {
            try heard.last?.hasPrefix("handled s") == true && haveCompleted && isAtRest(daemon)
        }
    }

    /// The application has received the end of each.
    var haveCompleted: Bool {
        let lines = heard
        return contents.indices.allSatisfy { index in lines.contains { $0.hasPrefix("completed s \(index + 1) ") } }
    }

    /// The application is in that state.
    func isAtRest(_ daemon: Daemon, _ rest: String = "suspended") throws -> Bool { try state(daemon) == rest }

    private func state(_ daemon: Daemon) throws -> String? {
        let list = try daemon.ask(.get, "/v1/applications").document()["applications"]?.array ?? []
        return list.first { $0["identifier"]?.string == Self.application }?["state"]?.string
    }

    /// Every file is there, was delivered in the documented order, and nothing else is left. The host must not run.
    ///
    /// - Parameter deaths: of the application or the host: what was delivered before one may be delivered again.
    func expectAll(deaths: Int, _ location: SourceLocation = #_sourceLocation) throws {
        let lines = heard
        for (index, content) in contents.enumerated() {
            let number = index + 1
            let kept = FileManager.default.contents(atPath: state("s-\(number)").path) ?? Data()
            #expect(kept == Data(content), "file \(number) has \(kept.count) bytes", sourceLocation: location)
            let downloaded = lines.indices.filter { lines[$0].hasPrefix("downloaded s \(number) ") }
            let completed = lines.indices.filter { lines[$0].hasPrefix("completed s \(number) ") }
            #expect(
                (1...(1 + deaths)).contains(completed.count) && downloaded.count <= 1 + deaths,
                "\(number): \(downloaded.count) and \(completed.count)", sourceLocation: location)
            #expect(downloaded.first ?? .max < completed.first ?? 0, "\(number)", sourceLocation: location)
            for place in completed {
                #expect(lines[place].contains(" error 0 "), "\(lines[place])", sourceLocation: location)
            }
        }
        #expect(!lines.contains { $0.hasPrefix("not kept") }, "\(lines)", sourceLocation: location)
        expectOrder(of: lines, location)
        #expect(try recorded(state: 6) == contents.count, sourceLocation: location)
        let folder = URL(filePath: station.state).appending(path: "applications/\(Self.application)")
        let parts = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "transfers").path)
        #expect(parts == ["boot"], sourceLocation: location)
        let cache = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "cache").path)
        #expect(cache.filter { $0.hasPrefix("taskhost-") } == [], sourceLocation: location)
    }

    /// In each life of the application: a file's end right behind it, and no end twice; all in the order of the ends.
    private func expectOrder(of lines: [String], _ location: SourceLocation) {
        var orders: [[Int]] = []
        for life in lines.split(separator: "launches", omittingEmptySubsequences: false) {
            let told = life.filter { $0.hasPrefix("downloaded s ") || $0.hasPrefix("completed s ") }
            var order: [Int] = []
            for (place, line) in told.enumerated() {
                let number = Int(line.split(separator: " ")[2]) ?? 0
                guard line.hasPrefix("completed") else {
                    let next = place + 1 < told.count ? told[place + 1] : "completed s \(number) "
                    #expect(next.hasPrefix("completed s \(number) "), "\(told)", sourceLocation: location)
                    continue
                }
                #expect(!order.contains(number), "\(told)", sourceLocation: location)
                order.append(number)
            }
            orders.append(order)
        }
        // Ends that two lives both received came in one order.
        for (before, after) in zip(orders, orders.dropFirst()) {
            let again = before.filter(after.contains)
            #expect(again == after.filter(before.contains), "\(orders)", sourceLocation: location)
        }
    }
}
