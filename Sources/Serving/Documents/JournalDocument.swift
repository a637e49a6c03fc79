package import JSON
package import Record
import TaskModel

/// A line of the journal as every verb prints it.
package enum JournalDocument {
    package static func json(_ entry: JournalEntry) -> JSONOutput {
        .object([
            "at": .string(entry.at.iso8601), "kind": .string(entry.kind.name), "subject": .string(entry.subject),
            "text": .string(entry.text),
        ])
    }
}
