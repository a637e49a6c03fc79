import Foundation
import Manifests
import TaskModel
import TestSupport
import Testing

/// One table has the numbers of the limits profiles.
@Suite("Documentation/Configuration.md has the numbers of the profiles")
struct LimitsProfileTableTests {
    /// The rows by the properties of `LimitsProfile`.
    static let titles = [
        "refreshWallClock": "wall clock of `appRefresh`",
        "processingWallClock": "wall clock of `processing`, `healthResearch`",
        "progressStall": "continued processing without progress is warned",
        "disk": "disk of an application", "backgroundTime": "background time of an application",
        "assertionWarning": "warning of assertions before its end",
        "keepsAwake": "background work keeps the machine awake", "lifecycleCallback": "a callback must return",
        "eventTime": "a fetch or a notification must be answered",
        "fetchInterval": "the least pause between two fetches",
        "notificationsPerHour": "notifications of an application in an hour",
        "assertions": "assertions of an application at once",
        "suspendAfter": "an idle application in the background is suspended after",
        "suspendedApplications": "suspended applications",
        "cpuMonitorShare": "share of a core above which a run on battery is killed",
        "cpuMonitorWindow": "the time over which that share is averaged", "launch": "launch of a worker",
        "idleWorker": "an idle worker is kept",
    ]

    private static func text(_ value: Any) throws -> String {
        switch value {
        case let span as TimeSpan: "`\(span.manifestText)`"
        case let size as ByteCount: "`\(size.manifestText)`"
        case let flag as Bool: flag ? "yes" : "no"
        case let share as Double: "\(Int((share * 100).rounded())) %"
        case let number as Int: "\(number)"
        case let number as UInt32: "\(number)"
        default: throw Problem("a number of a profile is \(value)")
        }
    }

    @Test("a row for each number, and a column for each profile")
    func table() throws {
        let page = try String(
            contentsOf: Places.root.appending(path: "Documentation/Configuration.md"), encoding: .utf8)
        let start = try #require(page.range(of: "\n| number | set by |"))
        let lines = page[start.lowerBound...].dropFirst().split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("|") }
        let rows = lines.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let profiles = LimitsProfile.all
        #expect(rows[0] == ["number", "set by"] + profiles.map { "`\($0.name)`" })
        var expected: [String: [String]] = [:]
        for profile in profiles {
            for child in Mirror(reflecting: profile).children where child.label != "name" {
                let title = try #require(Self.titles[child.label ?? ""], "\(child.label ?? "") has no row")
                expected[title, default: []].append(try Self.text(child.value))
            }
        }
        #expect(expected.count == Self.titles.count && rows.count == expected.count + 2)
        for row in rows.dropFirst(2) { #expect(Array(row.dropFirst(2)) == expected[row[0]], "\(row[0])") }
    }
}
