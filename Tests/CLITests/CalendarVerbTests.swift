import Foundation
import Testing

@Suite("taskhost calendar")
struct CalendarVerbTests {
    private static let march = [
        "calendar", "30 2 * * *", "--zone", "Europe/Berlin", "--from", "2027-03-27T00:00:00Z", "--count", "3",
    ]

    @Test("shows what a change of the clocks does to a time of day")
    func gap() throws {
        let tool = try Tool.run(Self.march)
        #expect(tool.status == 0)
        #expect(
            tool.output == """
                LOCAL                       UTC
                2027-03-27 02:30:00 +01:00  2027-03-27T01:30:00.000Z
                2027-03-28 03:00:00 +02:00  2027-03-28T01:00:00.000Z
                2027-03-29 02:30:00 +02:00  2027-03-29T00:30:00.000Z

                """)
        let times = try Tool.run(Self.march + ["--json"]).document["times"] as? [String]
        #expect(times == ["2027-03-27T01:30:00.000Z", "2027-03-28T01:00:00.000Z", "2027-03-29T00:30:00.000Z"])
    }

    @Test(
        "refuses what is no expression, zone or time",
        arguments: [
            (["calendar"], "one expression is needed"), (["calendar", "* * * *"], "day of week"),
            (["calendar", "* * * * *", "--zone", "Europe/Nowhere"], "a time zone that this machine has"),
            (["calendar", "* * * * *", "--from", "tomorrow"], "--from does not take this"),
            (["calendar", "* * * * *", "--count", "0"], "--count does not take this"),
        ])
    func refused(_ words: [String], _ sentence: String) throws {
        let tool = try Tool.run(words)
        #expect(tool.status == 64 && tool.sentences.contains { $0.contains(sentence) }, "\(tool)")
    }
}
