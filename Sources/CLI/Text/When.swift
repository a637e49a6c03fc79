import Control
import TaskModel

/// A moment as the command line takes it.
enum When {
    static let forms = "ISO 8601 such as 2026-03-01T12:00:00Z, or from now on: +15m, +2h, +7d"

    static func parse(_ text: String, option: String, now: Timestamp) throws(Failure) -> Timestamp {
        if let moment = Timestamp(iso8601: text) { return moment }
        if text.hasPrefix("+"), let span = TimeSpan(parsing: String(text.dropFirst())) {
            let (sum, overflow) = now.nanoseconds.addingReportingOverflow(span.nanoseconds)
            return Timestamp(nanoseconds: overflow ? .max : sum)
        }
        throw .usage("\(option) does not take this; \(text); write \(forms)")
    }
}
