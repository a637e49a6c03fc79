import Control
import JSON
import Record
import TaskModel

/// A run's log as lines.
enum LogDocument {
    /// - Parameter next: the offset that continues it; nil: there is no more.
    static func json(_ lines: [LogLine], next: Int64?) -> JSONOutput {
        .object([
            "lines": .array(
                lines.map { line in
                    .object([
                        "at": JSONOutput(line.mark?.at.iso8601), "stream": JSONOutput(line.mark?.stream.name),
                        "text": .string(String(decoding: line.text, as: UTF8.self)), "isWhole": .bool(line.isWhole),
                    ])
                }),
            "next": JSONOutput(next),
        ])
    }
}
