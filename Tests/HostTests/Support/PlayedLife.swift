import Control
import Foundation
import Glibc
import TestSupport
import Testing

/// One life of a host whose kernel is played: it finds what a killed host left, and is asked for runs, to store a
/// request, and to stop. Then a host with a sound kernel looks at the result.
final class PlayedLife {
    static let noop = "org.taskhost.fixtures.noop"
    static let work = "org.taskhost.played.work"
    static let wait = "org.taskhost.played.wait"
    private static let transfers = "org.taskhost.fixtures.transfers"
    private static let contentSize = 200_000

    let station: Station
    let kernel: KernelPlayer.Life
    /// Serves the file that an application downloads; nil: no application does.
    private let web: WebServer?
    private var content: [UInt8] = []
    /// Identifiers of requests that were reported as stored, and of runs that were reported to begin.
    private var stored: Set<String> = [noop]
    private var begun: [String] = []

    init(_ fault: KernelPlayer.Fault?, downloads: Bool = false) throws {
        station = try Station()
        kernel = try KernelPlayer.Life(fault, at: station.folder.file("play"))
        try station.add(fixture: "fixtures.noop")
        var played = try ManifestText(stage: "org.taskhost.played", ["work": "stage_tally", "wait": "stage_wait"])
        played.setBudget(of: Self.wait, ["wallClock": "200ms", "grace": "100ms"])
        try station.add(played)
        web = downloads ? try WebServer() : nil
        guard let web else { return }
        content = (0..<Self.contentSize).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        _ = try web.add("file", content)
        var manifest = try ManifestText(fixture: "fixtures.transfers")
        manifest["permissions"] = ["network": ["127.0.0.1:\(web.port())"]]
        try station.add(manifest)
    }

    /// Lives it, and expects what must hold whatever failed.
    func live(_ location: SourceLocation = #_sourceLocation) throws {
        try leaveSomething()
        let host = try station.start(["serve"], environment: kernel.environment)
        // What is wrong then shows in how it ended.
        if (try? host.wait(forText: "taskhost: serving ")) != nil {
            try? ask()
            try? host.signal(SIGTERM)
        }
        let end = try host.finish()
        let text = "\(end.errors)\(end.output) at \(try kernel.place ?? "nothing")"
        #expect(end.signal == nil, "\(text)", sourceLocation: location)
        if end.status != 0 {
            let last = end.errors.split(separator: "\n").last ?? ""
            #expect(
                last.hasPrefix("taskhost: ") && last.count(where: { $0 == ";" }) >= 2, "\(text)",
                sourceLocation: location)
        }
        try lookBack(text, location)
    }

    /// What a killed host leaves: a request, a run that has not ended, a log of the record that no process has read.
    private func leaveSomething() throws {
        let copy = try Command.run("cp", ["-a", Self.left.get(), station.state])
        guard copy.succeeded else { throw TestSupport.Problem(copy.output) }
    }

    private static let left = Result { () throws -> String in
        let life = try PlayedLife(nil)
        PlayedLife.kept = life
        let daemon = try Daemon(life.station)
        try daemon.tell("submit", noop, "--earliest", "+30d")
        _ = try daemon.ask(.post, "/v1/runs", body: #"{"identifiers":["\#(wait)"]}"#)
        try daemon.wait(for: "run.started", wait)
        try daemon.kill()
        return life.station.state
    }
    /// Its folder goes with it.
    private nonisolated(unsafe) static var kept: PlayedLife?

    // MARK: Asking

    private struct Begun: Decodable {
        struct Run: Decodable { var run: String }
        var runs: [Run]
    }

    /// Throws as soon as the host does not answer.
    private func ask() throws {
        let date = Date(timeIntervalSinceNow: 86_400 * 100).ISO8601Format()
        if try ask(.post, "requests", #"{"identifier":"\#(Self.work)","earliestBeginDate":"\#(date)"}"#).status == 201 {
            stored.insert(Self.work)
        }
        try begin(#""identifiers":["\#(Self.noop)","\#(Self.work)","\#(Self.wait)"]"#)
        if let web {
            let script = "open s\nreplay s\ndownload s \(web.url("file"))\nawait 1"
            let payload = Data(script.utf8).base64EncodedString()
            try begin(#""identifiers":["\#(Self.transfers).work"],"payload":"\#(payload)""#)
        }
        try waitForEnds()
    }

    private func begin(_ members: String) throws {
        let answer = try ask(.post, "runs", "{\(members)}")
        guard answer.status == 202 else { return }
        begun += try JSONDecoder().decode(Begun.self, from: Data(answer.text.utf8)).runs.map(\.run)
    }

    private enum Method: String { case get = "GET", post = "POST" }

    private func ask(_ method: Method, _ path: String, _ body: String? = nil) throws -> (status: Int, text: String) {
        var words = [
            "-s", "--max-time", "30", "--unix-socket", station.state + "/control.sock", "-X", method.rawValue,
            "-w", "\n%{http_code}",
        ]
        if let body { words += ["-H", "Content-Type: application/json", "-d", body] }
        let command = try Program("curl", words + ["http://localhost/v1/" + path]).finish()
        // 52 and 56: the connection was reset. The next may not be.
        guard command.succeeded || [52, 56].contains(command.status), let end = command.output.lastIndex(of: "\n")
        else {
            throw TestSupport.Problem("\(path): \(command)")
        }
        return (Int(command.output[command.output.index(after: end)...]) ?? 0, String(command.output[..<end]))
    }

    /// Waits until all runs have ended. A stream of events that breaks is opened again.
    private func waitForEnds() throws {
        for _ in 0..<10 {
            let events = try Program(
                "curl", ["-sN", "--unix-socket", station.state + "/control.sock", "http://localhost/v1/events"])
            guard (try? events.wait(forText: "retry:")) != nil else { continue }
            while true {
                let seen = events.output.utf8.count
                let answer = try ask(.get, "runs")
                if answer.status == 200, try Self.haveEnded(begun, in: answer.text) { return }
                guard (try? events.wait(until: { $0.utf8.count > seen }, for: "an event")) != nil else { break }
            }
        }
        throw TestSupport.Problem("its runs do not end")
    }

    private static func haveEnded(_ begun: [String], in text: String) throws -> Bool {
        let runs = try JSONDecoder().decode(RunDocument.List.self, from: Data(text.utf8)).runs
        return begun.allSatisfy { id in runs.contains { $0.run == id && $0.endedAt != nil } }
    }

    // MARK: Looking back

    private struct Pending: Decodable {
        struct Request: Decodable { var identifier: String }
        var requests: [Request]
    }

    private func lookBack(_ text: String, _ location: SourceLocation) throws {
        let next = try station.run(Self.noop)
        #expect(next.command.succeeded, "\(next.command) after \(text)", sourceLocation: location)
        let runs = try station.history()
        for run in runs {
            #expect(run.endedAt != nil && run.outcome != nil, "\(run) after \(text)", sourceLocation: location)
        }
        for id in begun {
            let run = runs.first { $0.run == id }
            #expect(run != nil, "\(id) is lost after \(text)", sourceLocation: location)
        }
        let pending = try station.ask(Pending.self, "pending").requests.map(\.identifier)
        #expect(stored.isSubset(of: pending), "\(pending) after \(text)", sourceLocation: location)
        if web != nil, runs.contains(where: { $0.application == Self.transfers && $0.outcome == "succeeded" }) {
            let file = station.state + "/applications/\(Self.transfers)/state/s-1"
            #expect(
                FileManager.default.contents(atPath: file) == Data(content), "another file after \(text)",
                sourceLocation: location)
        }
        station.expectNothingLeft(location)
    }
}
