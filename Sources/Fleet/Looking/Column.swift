import JSON
import TaskModel

/// Columns as text.
enum Column {
    /// Microseconds since 1970: no zone and no style of dates decides how they look.
    static func time(_ name: String) -> String { "(extract(epoch FROM \(name)) * 1000000)::bigint" }

    static func time(_ text: String?) -> Timestamp? {
        text.flatMap { Int64($0) }.map { Timestamp(nanoseconds: $0.multipliedReportingOverflow(by: 1000).partialValue) }
    }

    /// The server wrote it, so it is JSON.
    static func json(_ text: String) -> JSONOutput { .verbatim(Array(text.utf8)) }
}
