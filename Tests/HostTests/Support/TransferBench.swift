import Control
import Foundation
import Glibc
import JSON
import TestSupport

/// A daemon with the fixture `transfers.c`, and a web server that it may reach.
final class TransferBench {
    static let application = "org.taskhost.fixtures.transfers"
    static let work = application + ".work"
    let station: Station
    let daemon: Daemon
    let web: WebServer
    let files: [String: [UInt8]]
    /// Has every line as it comes.
    private var written: GrowingFile?

    /// - Parameters:
    ///   - launch: lines that the application performs when it is launched.
    ///   - change: makes its manifest another one.
    ///   - files: names and sizes of what the server has.
    ///   - locations: further ones of the server.
    init(
        launch: [String] = [], files: [String: Int] = ["a": 40_000, "b": 60_000], isolation: String = "zygote",
        settings: [String: Any] = [:], locations: String = "", change: (inout ManifestText) -> Void = { _ in }
    ) throws {
        station = try Station()
        web = try WebServer(locations: locations)
        var made: [String: [UInt8]] = [:]
        for (name, size) in files {
            made[name] = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ name.utf8.count) }
            _ = try web.add(name, made[name] ?? [])
        }
        self.files = made
        var manifest = try ManifestText(fixture: "fixtures.transfers")
        manifest["permissions"] = ["network": ["loopback:\(web.port())", "loopback:\(web.port(.secure))"]]
        manifest["isolation"] = isolation
        if let transfers = settings["transfers"] { manifest["transfers"] = transfers }
        change(&manifest)
        try station.add(manifest)
        try station.configure("suspendAfter", "0s")
        if let limits = settings["limits"] { try station.configure("limits", limits) }
        if let own = settings["host"] { try station.configure("transfers", own) }
        daemon = try Daemon(station)
        // Transfers of an application in the background wait for power.
        try daemon.tell("device", "set", "power=external")
        guard !launch.isEmpty else { return }
        let path = folder("state")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // Its folder comes with its first launch.
        try perform("sleep 0")
        try Data(launch.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: path + "/launch"))
        try kill()
    }

    func folder(_ name: String) -> String { station.state + "/applications/\(Self.application)/\(name)" }

    /// Has a run perform the lines.
    @discardableResult
    func perform(_ lines: String...) throws -> String {
        let words = ["run", Self.work, "--payload-text", lines.joined(separator: "\n")]
        let run = try station.start(words, manifests: false).finish()
        guard run.succeeded else { throw Problem("\(words): \(run.status) \(run.errors)\(run.output)") }
        return run.output
    }

    /// What the application said so far.
    func trace() throws -> [String] {
        guard let text = try? String(contentsOfFile: folder("state/trace"), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// The first two words of each line that it said since it was last launched, progress and answers left out.
    func steps() throws -> [String] {
        let lines = try trace()
        let start = lines.lastIndex(of: "launches") ?? 0
        return lines[start...].filter { !$0.hasPrefix("progress ") && !$0.hasPrefix("response ") }
            .map {
                $0.split(separator: " ").prefix(3).filter { !$0.hasPrefix("#") && $0 != "status" && $0 != "in" }.joined(
                    separator: " ")
            }
    }

    /// What it has kept of a download.
    func kept(_ number: Int) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: folder("state/s-\(number)"))))
    }

    func waitFor(_ line: String, count: Int = 1) throws {
        let written = try written ?? GrowingFile(folder("state/trace"))
        self.written = written
        try written.wait(for: line, count: count) { $0.hasPrefix(line) }
    }

    func waitUntil(_ state: String) throws {
        try daemon.waitUntil { try daemon.applicationState(Self.application) == state }
    }

    /// Kills the application's process as the kernel would.
    func kill() throws {
        for pid in try processes() { _ = Glibc.kill(pid, SIGKILL) }
        try waitUntil("notRunning")
    }

    private func processes() throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { pid in
            // Such files have no size: they are read to their end.
            guard let data = try? FileHandle(forReadingAtPath: "/proc/\(pid)/maps")?.readToEnd() else { return false }
            let maps = String(decoding: data, as: UTF8.self)
            return maps.contains(station.folder.path) && maps.contains("libtransfers.so")
        }
    }

    /// Its transfers as the API lists them, newest first.
    func transfers() throws -> [JSONValue] {
        try daemon.ask(.get, "/v1/transfers").document()["transfers"]?.array ?? []
    }

    func terminations() throws -> [String] {
        let all = try daemon.ask(.get, "/v1/terminations").document()["terminations"]?.array ?? []
        return all.map { "\($0["reason"]?.string ?? "-") \($0["code"]?.string ?? "-")" }
    }
}
