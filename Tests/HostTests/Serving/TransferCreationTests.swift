#if DEBUG
import Control
import Foundation
import Glibc
import JSON
import Setting
import TestSupport
import Testing

/// Transfers are being made when something dies.
@Suite("Transfers that are being made")
struct TransferCreationTests {
    private static func downloads() throws -> Downloads { try Downloads(files: 10, bytes: 36_000, rate: 240_000) }

    struct Death: CustomStringConvertible {
        var point: Failpoint
        var count: Int
        var description: String { "\(point.rawValue):\(count)" }
    }

    private static func deaths(_ list: [(Failpoint, [Int])]) -> [Death] {
        list.flatMap { point, counts in counts.map { Death(point: point, count: $0) } }
    }

    // MARK: By an application

    static let deathsOfHost = deaths([
        (.transferMake, [1, 2, 5, 10]), (.commitBefore, [5, 8, 12]), (.commitAfter, [6, 8, 12]),
        (.flushBefore, [7, 11]), (.flushAfter, [7, 11]), (.transferBegin, [1, 3]),
    ])

    @Test("are there once or not at all when the host dies meanwhile", arguments: deathsOfHost)
    func hostDies(_ death: Death) throws {
        let downloads = try Self.downloads()
        let doomed = try downloads.station.start(["serve"], environment: ["TASKHOST_FAILPOINT": death.description])
        // With some counts it is dead before it has answered.
        try doomed.wait(forText: "taskhost: serving ")
        _ = try downloads.station.start(["foreground", Downloads.application], manifests: false)
            .finish()
        // One in each turn, as far as this machine allows.
        let lines = ["open s", "replay s"] + Self.lines(downloads, from: 0).flatMap { [$0, "sleep 3"] }
        let run = try Self.start(downloads, lines + ["await 10"])
        #expect(try doomed.finish().signal == SIGKILL)
        _ = try run.finish()
        downloads.station.expectEveryProcessEnds()
        try Self.expectRest(downloads, deaths: 1)
        downloads.station.expectNothingLeft()
    }

    @Test("are there once or not at all when their application dies meanwhile", arguments: [1, 4, 10])
    func applicationDies(count: Int) throws {
        let downloads = try Self.downloads()
        let daemon = try Daemon(downloads.station)
        try daemon.tell("foreground", Downloads.application)
        let lines = Self.lines(downloads, from: 0).prefix(count)
        let run = try Self.start(downloads, ["open s", "replay s"] + lines + ["die"])
        #expect(try !run.finish().succeeded)
        try daemon.waitUntil { try downloads.isAtRest(daemon, "notRunning") }
        #expect(try daemon.stop().status == 0)
        // The host read what the process had sent before it died.
        #expect(try Self.numbers(downloads).count == count)
        try Self.expectRest(downloads, deaths: 1)
    }

    @Test("stay suspended when their application dies before it has resumed them")
    func applicationDiesBeforeResuming() throws {
        let downloads = try Self.downloads()
        let daemon = try Daemon(downloads.station)
        try daemon.tell("foreground", Downloads.application)
        let run = try Self.start(downloads, ["open s", "replay s", "create s \(Self.url(downloads, 0))", "die"])
        #expect(try !run.finish().succeeded)
        try daemon.waitUntil { try downloads.isAtRest(daemon, "notRunning") }
        let list = try daemon.ask(.get, "/v1/transfers").document()["transfers"]?.array ?? []
        #expect(list.map { $0["state"]?.string } == ["suspended"] && list[0]["attempts"]?.integer == 0)
        #expect(try daemon.stop().status == 0)
        try Self.expectRest(downloads, deaths: 1)
        #expect(downloads.heard.contains { $0.hasPrefix("known s 1 ") && $0.contains(" suspended 1 ") })
    }

    private static func url(_ downloads: Downloads, _ index: Int) -> String {
        downloads.web.url("throttled/file\(index)?rate=240000")
    }

    private static func lines(_ downloads: Downloads, from first: Int) -> [String] {
        (first..<downloads.contents.count).map { "download s \(url(downloads, $0))" }
    }

    private static func start(_ downloads: Downloads, _ lines: [String]) throws -> Program {
        try downloads.station.start(
            ["run", Downloads.task, "--payload-text", lines.joined(separator: "\n")], manifests: false)
    }

    /// What is on record. The host must not run.
    private static func numbers(_ downloads: Downloads, _ column: String = "number") throws -> [Int] {
        let file = URL(filePath: downloads.station.state).appending(path: "taskhost.db")
        return try SQLite(file).column("SELECT \(column) FROM transfers ORDER BY id").compactMap { Int($0) }
    }

    /// Nothing is missing between those on record, and nothing that the application received; a new host continues with
    /// them, and with the numbers after them.
    private static func expectRest(_ downloads: Downloads, deaths: Int) throws {
        let made = try numbers(downloads)
        #expect(made == Array(1..<made.count + 1), "each once, in their order")
        let told = downloads.heard.filter { $0.hasPrefix("response s ") || $0.hasPrefix("completed s ") }
            .compactMap { Int($0.split(separator: " ")[2]) }
        #expect(told.allSatisfy(made.contains), "told of \(Set(told)), and has \(made)")

        let last = try Daemon(downloads.station)
        try last.tell("foreground", Downloads.application)
        // The test does not know which of them it had resumed.
        let script = ["have s"] + made.map { "resume s \($0)" } + lines(downloads, from: made.count)
        #expect(try start(downloads, script).finish().succeeded)
        try last.tell("background", Downloads.application)
        try last.waitUntil { try downloads.haveCompleted && downloads.isAtRest(last) }
        #expect(try last.stop().status == 0)
        try downloads.expectAll(deaths: deaths)
        #expect(try numbers(downloads) == Array(1...10))
    }

    // MARK: By a user

    static let deathsOfAdding = deaths([
        (.transferMake, [1, 3]), (.commitBefore, [5, 8]), (.commitAfter, [5, 8]), (.answerBefore, [1, 4]),
        (.answerAfter, [1, 4]), (.transferBegin, [1, 3]), (.transferEnd, [1, 2]), (.transferPublish, [1, 2]),
    ])

    @Test("are there once when the user got an answer, and at most once otherwise", arguments: deathsOfAdding)
    func added(_ death: Death) throws {
        let downloads = try Self.downloads()
        let doomed = try Daemon(downloads.station, environment: ["TASKHOST_FAILPOINT": death.description])
        var answered: [Int] = []
        for index in downloads.contents.indices {
            let body = "{\"url\":\"\(downloads.web.url("file\(index)"))\",\"application\":\"\(Downloads.application)\"}"
            guard let reply = try? doomed.ask(.post, "/v1/transfers", body: body),
                let id = try? reply.document()["id"]?.integer
            else { break }
            answered.append(Int(id))
        }
        #expect(try doomed.program.finish().signal == SIGKILL)
        downloads.station.expectEveryProcessEnds()
        let made = try Self.numbers(downloads, "id")
        #expect(made.starts(with: answered) && made.count - answered.count <= 1, "\(answered) of \(made)")

        let last = try Daemon(downloads.station)
        let application = URL(filePath: downloads.station.state)
            .appending(path: "applications/\(Downloads.application)")
        func finished(_ id: Int) -> URL { application.appending(path: "cache/taskhost-\(id).download") }
        try last.waitUntil { made.allSatisfy { FileManager.default.fileExists(atPath: finished($0).path) } }
        #expect(try last.stop().status == 0)
        for (index, id) in made.enumerated() {
            #expect(FileManager.default.contents(atPath: finished(id).path) == Data(downloads.contents[index]))
        }
        #expect(try downloads.recorded() == made.count && downloads.recorded(state: 6) == made.count)
        func names(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: application.appending(path: folder).path)
        }
        if !made.isEmpty { #expect(try names("transfers") == ["boot"] && names("cache").count == made.count) }
        downloads.station.expectNothingLeft()
    }
}
#endif
