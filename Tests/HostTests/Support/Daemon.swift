import Foundation
import Glibc
import TestSupport
import Testing

/// `taskhost serve` on a station, with its stream of events beside it.
final class Daemon {
    let station: Station
    let program: Program
    private let events: Program

    init(_ station: Station, options: [String] = [], environment: [String: String] = [:]) throws {
        self.station = station
        program = try station.start(["serve"] + options, environment: environment)
        // One that dies at a failpoint may do so before a listener sees it: how often it commits at its start varies.
        let mayDie = environment["TASKHOST_FAILPOINT"] != nil
        func wait(_ listener: Program, for text: String) throws {
            do { try listener.wait(forText: text) } catch { guard mayDie else { throw error } }
        }
        try wait(program, for: "taskhost: serving ")
        events = try Program(
            "curl", ["-sN", "--unix-socket", station.state + "/control.sock", "http://localhost/v1/events"])
        try wait(events, for: "retry:")
    }

    /// Waits until an event of that kind about that subject has come so often.
    func wait(for event: String, _ subject: String, count: Int = 1) throws {
        try telling {
            try events.wait(
                until: { Self.count(event, subject, in: $0) >= count }, for: "\(event) \(subject)")
        }
    }

    /// Waits until handlers of the task have printed so often: they are at work, and have said what to do when warned.
    func waitForWork(_ identifier: String, count: Int = 1) throws {
        try wait(for: "run.output", identifier, count: count)
    }

    /// How many events of that kind about that subject have come so far.
    func count(_ event: String, _ subject: String) -> Int { Self.count(event, subject, in: events.output) }

    /// All events so far, as they came.
    var seen: String { events.output }

    /// How many bytes of events came so far.
    var eventBytes: Int { events.output.utf8.count }

    func waitForMore(than seen: Int) throws {
        try telling { try events.wait(until: { $0.utf8.count > seen }, for: "another event") }
    }

    /// A failure of a wait says what the host knows of it.
    private func telling(_ wait: () throws -> Void) throws {
        do { try wait() } catch {
            // What is read here is for the failure alone: it may fail as well.
            let journal = (try? tell("journal")) ?? "unreadable"
            program.look()
            throw Problem("\(error)\njournal: \(journal)\nlog: \(program.errors)")
        }
    }

    /// The documents of all `device` events so far.
    func deviceEvents<Event: Decodable>(_ type: Event.Type) throws -> [Event] {
        let blocks = events.output.components(separatedBy: "\n\n")
        return try blocks.filter { $0.contains("event: device\n") }.compactMap { block in
            let line = block.components(separatedBy: "\n").first { $0.hasPrefix("data: ") }
            return try line.map { try JSONDecoder().decode(type, from: Data($0.dropFirst(6).utf8)) }
        }
    }

    private static func count(_ event: String, _ subject: String, in text: String) -> Int {
        text.components(separatedBy: "\n\n").count { block in
            block.contains("event: \(event)\n") && block.contains("\"\(subject)\"")
        }
    }

    /// A verb that talks to the daemon; fails with what it said.
    @discardableResult
    func tell(_ words: String...) throws -> String { try tell(contentsOf: words) }

    func tell(contentsOf words: [String]) throws -> String {
        let command = try station.start(words).finish()
        guard command.succeeded else { throw Problem("\(words): \(command.status) \(command.errors)") }
        return command.output
    }

    func ask<Answer: Decodable>(_ type: Answer.Type, _ words: String...) throws -> Answer {
        let command = try station.start(words + ["--json"]).finish()
        guard command.succeeded else { throw Problem("\(words): \(command.status) \(command.errors)") }
        return try JSONDecoder().decode(type, from: Data(command.output.utf8))
    }

    struct Explanation: Decodable {
        struct Gate: Decodable {
            var gate: String
            var verdict: String
            var holds: Bool
            var found: String
            var opens: String?
            var next: String?
        }
        var pending: Bool
        var summary: String
        var gates: [Gate]
        /// The gates that hold the request, by name.
        var holding: [String] { gates.filter(\.holds).map(\.gate) }
    }

    func why(_ identifier: String) throws -> Explanation { try ask(Explanation.self, "why", identifier) }

    struct Requests: Decodable {
        struct Request: Decodable {
            var identifier: String
            var origin: String
            var attempt: Int
            var earliestBeginDate: String?
            var submittedAt: String
        }
        var requests: [Request]
    }

    func pending() throws -> [Requests.Request] { try ask(Requests.self, "pending").requests }

    /// Asks it to stop and waits for its end.
    func stop() throws -> Command {
        try program.signal(SIGTERM)
        return try program.finish()
    }

    /// Ends it as a crash would.
    func kill() throws {
        try program.signal(SIGKILL)
        _ = try program.finish()
        station.expectEveryProcessEnds()
    }
}

extension Daemon {
    /// Asks again whenever something happened, until it is so.
    func waitUntil(_ isSo: () throws -> Bool) throws {
        while true {
            // Before it is asked: what comes meanwhile may be the last that ever does.
            let seen = eventBytes
            if try isSo() { return }
            try waitForMore(than: seen)
        }
    }

    private struct Device: Decodable {
        struct Condition: Decodable {
            var value: String
            var source: String
        }
        var conditions: [String: Condition]
    }

    func condition(_ name: String) throws -> String? { try ask(Device.self, "device").conditions[name]?.value }
    /// Where the condition comes from, or why it is unknown.
    func source(_ condition: String) throws -> String {
        try #require(try ask(Device.self, "device").conditions[condition]).source
    }

    private struct DeviceEvent: Decodable {
        struct Condition: Decodable {
            var value: String
            var since: String?
        }
        var conditions: [String: Condition]
    }

    /// Seconds between the moment at which the condition became that value and the run's warning.
    func lateness(of condition: String, _ value: String, before run: RunDocument) throws -> Double {
        let since = try deviceEvents(DeviceEvent.self).compactMap { event in
            event.conditions[condition].flatMap { $0.value == value ? $0.since : nil }
        }.last
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let since, let expired = run.expiredAt else { throw Problem("no such change, or no warning") }
        return try style.parse(expired).timeIntervalSince(style.parse(since))
    }
}
