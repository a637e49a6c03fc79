import Foundation
import Manifests
import Scheduling
import TaskModel

/// The zone files and the tables beside these tests; `Tables/make.py` made the tables.
enum Tables {
    static let zones = [
        "Africa-Casablanca", "America-New_York", "Asia-Kolkata", "Australia-Lord_Howe", "Europe-Berlin", "Pacific-Apia",
        "UTC",
    ]
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    static func bytes(of zone: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent("Zones/\(zone).tzif")))
    }

    static func zone(_ name: String) throws -> TimeZoneRules { try TimeZoneRules(tzif: bytes(of: name)) }

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent("Tables/\(name)"), encoding: .utf8)
    }

    /// Pairs of a second of UTC and the offset from then on; the first is a sample, not a change.
    static func changes(of zone: String) throws -> [(at: Int64, offset: Int64)] {
        try text(zone + ".changes").split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
        }
    }

    /// One line of times.txt.
    struct Case: Sendable {
        var zone: String
        var expression: String
        var start: Int64
        var end: Int64
        var times: [Int64]
        var name: String { "\(expression) in \(zone) from \(start)" }
    }

    static func cases() throws -> [Case] {
        try text("times.txt").split(separator: "\n").map { line in
            let parts = line.components(separatedBy: "; ")
            let range = parts[2].split(separator: " ").compactMap { Int64($0) }
            var times: [Int64] = []
            for word in parts[3].split(separator: " ") {
                if let first = Int64(word), !word.hasPrefix("+") { times.append(first) }
                let steps = word.dropFirst().split(separator: "*").compactMap { Int64($0) }
                guard word.hasPrefix("+"), steps.count == 2 else { continue }
                for _ in 0..<steps[1] { times.append((times.last ?? 0) + steps[0]) }
            }
            return Case(zone: parts[0], expression: parts[1], start: range[0], end: range[1], times: times)
        }
    }
}

extension ScheduleRule {
    /// Of a calendar expression without jitter.
    init(_ expression: String, in zone: TimeZoneRules) throws {
        self.init(Schedule(calendar: try CalendarSyntax.parse(expression)), zone: zone, seed: 0)
    }

    func next(afterSecond second: Int64) -> Int64? {
        next(after: Timestamp(nanoseconds: second * 1_000_000_000)).map { $0.nanoseconds / 1_000_000_000 }
    }

    /// Its times within a range of seconds, without the ends.
    func times(after start: Int64, before end: Int64, limit: Int = 10_000) -> [Int64] {
        var times: [Int64] = []
        var last = start
        while times.count < limit, let next = next(afterSecond: last), next < end {
            times.append(next)
            last = next
        }
        return times
    }
}
