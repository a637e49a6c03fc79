import Foundation
import Testing

/// Moments as users type them, by submit's answer: the zone is that of the command.
@Suite("A moment on the command line")
struct WhenTests {
    private static let manifest = """
        {"identifier": "com.example.when", "tasks": {"com.example.when.task": {"kind": "processing", "handler": {"command": \
        ["/bin/true"]}}}}
        """

    private func earliest(_ text: String, zone: String = "UTC") throws -> (tool: Tool, date: Date?) {
        let folder = try Folder()
        try folder.write("manifests/when.json", Self.manifest)
        let tool = try Tool.run(
            [
                "submit", "com.example.when.task", "--earliest", text, "--manifests", "manifests", "--state", "state",
                "--json",
            ],
            in: folder, environment: ["TZ": zone])
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date =
            tool.status == 0 ? (try tool.document["earliestBeginDate"] as? String).map { try? style.parse($0) } : nil
        return (tool, date ?? nil)
    }

    private func calendar(_ zone: String) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        return calendar
    }

    @Test(
        "is local where it names no zone",
        arguments: [
            ("2027-03-27 02:30", "Europe/Berlin", "2027-03-27T01:30:00Z"),
            ("2027-07-01", "Europe/Berlin", "2027-06-30T22:00:00Z"),
            ("2027-07-01T06:00", "America/New_York", "2027-07-01T10:00:00Z"),
            ("2027-02-28 23:59:59", "UTC", "2027-02-28T23:59:59Z"),
            // An hour that the clock leaves out is the one after it.
            ("2027-03-28 02:30", "Europe/Berlin", "2027-03-28T01:30:00Z"),
            ("2027-01-01T00:00:00Z", "Europe/Berlin", "2027-01-01T00:00:00Z"),
        ])
    func local(_ text: String, _ zone: String, _ expected: String) throws {
        let (tool, date) = try earliest(text, zone: zone)
        #expect(date == (try? Date(expected, strategy: .iso8601)), "\(tool)")
    }

    @Test("counts from now on, and finds the next time of day", arguments: ["Europe/Berlin", "UTC"])
    func relative(_ zone: String) throws {
        let calendar = calendar(zone)
        let before = Date()
        let next = try #require(try earliest("02:30", zone: zone).date)
        #expect(calendar.component(.hour, from: next) == 2 && calendar.component(.minute, from: next) == 30)
        #expect(next > before && next < before.addingTimeInterval(25 * 3600))
        let tomorrow = try #require(try earliest("tomorrow 6:05", zone: zone).date)
        let today = calendar.startOfDay(for: before)
        #expect(calendar.dateComponents([.day], from: today, to: calendar.startOfDay(for: tomorrow)).day == 1)
        #expect(calendar.component(.hour, from: tomorrow) == 6 && calendar.component(.minute, from: tomorrow) == 5)
        for text in ["90m", "+90m"] {
            let date = try #require(try earliest(text, zone: zone).date)
            #expect(abs(date.timeIntervalSince(before) - 5400) < 60)
        }
    }

    @Test(
        "is refused with the forms",
        arguments: [
            "noon", "25:00", "2027-02-29", "2027-13-01", "tomorrow 6", "2027-1-1", "1:2", "", "06:00 tomorrow", "6.5h",
        ])
    func refused(_ text: String) throws {
        let (tool, _) = try earliest(text)
        #expect(tool.status == 64 && tool.errors.contains("tomorrow 06:00"), "\(tool)")
    }
}
