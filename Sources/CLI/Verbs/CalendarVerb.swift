import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// `taskhost calendar EXPRESSION`
enum CalendarVerb: Verb {
    static let name = "calendar"
    static let summary = "show the next times of a calendar expression"
    static let help = """
        usage: taskhost calendar EXPRESSION [--zone NAME] [--count N] [--from TIME]

        Prints when a schedule with this calendar would come: five fields, as in cron and in "schedule"."calendar" of a
        manifest. LOCAL is the time of that zone and shows what a change of the clocks does: a time of day that is skipped
        comes at the end of the gap, and one that comes twice comes once. --utc leaves it out.

          taskhost calendar '30 2 * * MON-FRI' --zone Europe/Berlin --count 3

        exit status: 0 · 64 usage, or no such expression or time zone.
        """
    static let options: [Option] = [
        .valued("--zone", "NAME", "an IANA time zone (default: the machine's own)"),
        .valued("--count", "N", "how many times (default 5)"),
        .valued("--from", "TIME", "later than this time, such as 2027-03-27T00:00:00Z (default: now)"), .utc, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let text = try arguments.onlyWord(of: name, "expression", "write it in quotes, such as '30 2 * * MON-FRI'")
        let count = try arguments.number("--count", in: 1...1000) ?? 5
        let zone = arguments.value("--zone")
        let start = try start(arguments)
        let preview: CalendarPreview
        do throws(SyntaxFault) {
            preview = try CalendarPreview(text, zone: zone)
        } catch {
            throw .usage("this is no calendar; \(text); \(error)")
        }
        let times = preview.times(after: start, count: count)
        let isUTC = terminal.times.isUTC
        var table = TextTable((isUTC ? [] : ["LOCAL"]) + ["UTC"], whole: ["LOCAL", "UTC"])
        for time in times { table.add((isUTC ? [] : [time.local]) + [time.at.iso8601]) }
        let document: JSONOutput = [
            "calendar": .string(text), "timeZone": JSONOutput(zone),
            "times": .array(times.map { .string($0.at.iso8601) }),
        ]
        terminal.print(document, or: table.text(width: terminal.outWidth), for: arguments)
        return ExitStatus.success
    }

    private static func start(_ arguments: Arguments) throws(Failure) -> Timestamp {
        guard let text = arguments.value("--from") else { return Clock.moment().time }
        guard let time = Timestamp(iso8601: text) else {
            throw .usage("--from does not take this; \(text); write a time such as 2027-03-27T00:00:00Z")
        }
        return time
    }
}
