import JSON
import Linux
import TaskModel

/// Times as people read them: in the zone of this process (TZ, else the machine's), or with `--utc` in UTC as ISO 8601. Whatever
/// the command line prints for people has its times from here, and nothing of `--json` does.
struct ShownTimes {
    /// `--utc`: nothing is relative then.
    var isUTC = false

    /// Such as `2026-11-24 02:30:00 +01:00`: the offset tells the two hours apart that a clock change makes of one.
    func text(_ time: Timestamp) -> String { local(time, hasMilliseconds: false) }

    /// The same with milliseconds, for times that follow each other closely.
    func precise(_ time: Timestamp) -> String { local(time, hasMilliseconds: true) }

    private func local(_ time: Timestamp, hasMilliseconds: Bool) -> String {
        guard !isUTC, let offset = LocalTime.offset(at: time) else { return time.iso8601 }
        return time.local(offset: offset, hasMilliseconds: hasMilliseconds)
    }

    /// For the last and the next time of something: `3 h ago`, `in 5 min`, or the date when it is a day away or more.
    func near(_ time: Timestamp, now: Timestamp = Clock.moment().time) -> String {
        isUTC ? time.iso8601 : Self.distance(time - now) ?? text(time)
    }

    /// The date with how far away it is: `2026-11-24 02:30:00 +01:00 (in 5 min)`.
    func both(_ time: Timestamp, now: Timestamp = Clock.moment().time) -> String {
        guard !isUTC, let distance = Self.distance(time - now) else { return text(time) }
        return "\(text(time)) (\(distance))"
    }

    /// nil: a day or more.
    private static func distance(_ span: TimeSpan) -> String? {
        let seconds = (span.nanoseconds.magnitude + 500_000_000) / 1_000_000_000
        let length: String
        switch seconds {
        case 0: return "now"
        case ..<60: length = "\(seconds) s"
        case ..<3570: length = "\((seconds + 30) / 60) min"
        case ..<84_600: length = "\((seconds + 1800) / 3600) h"
        default: return nil
        }
        return span > .zero ? "in \(length)" : "\(length) ago"
    }

    // MARK: Documents

    /// A member of a document as a cell; a time in it is local.
    func cell(_ value: JSONValue?) -> String { time(value).map(text) ?? ListCell.text(value) }

    /// The same as `near` has it.
    func nearCell(_ value: JSONValue?, now: Timestamp = Clock.moment().time) -> String {
        time(value).map { near($0, now: now) } ?? ListCell.text(value)
    }

    /// A member that is missing or a time.
    func textIfAny(_ value: JSONValue?) -> String? { time(value).map(text) ?? value?.string }

    private func time(_ value: JSONValue?) -> Timestamp? { value?.string.flatMap { Timestamp(iso8601: $0) } }

    /// A sentence of the host, which writes times in UTC as `Timestamp.iso8601` does, with local ones. Only for the host's own
    /// words: what others wrote stays as it is.
    func words(_ sentence: String) -> String {
        guard !isUTC else { return sentence }
        return sentence.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) { match in
            Timestamp(iso8601: String(match.output)).map(text) ?? String(match.output)
        }
    }
}
