package import TaskModel

// Times of the calendar.
extension DocumentReader {
    /// Five cron fields.
    package mutating func calendar(_ node: DocumentNode?) -> CalendarExpression? {
        let expected = "five cron fields such as \"30 2 * * MON-FRI\""
        guard let node, let text = text(node, limit: CalendarSyntax.maximumLength, expected: expected) else {
            return nil
        }
        do throws(SyntaxFault) {
            return try CalendarSyntax.parse(text)
        } catch {
            refuse(node, error)
            return nil
        }
    }

    /// The name of a time zone; the machine need not have it.
    package mutating func timeZone(_ node: DocumentNode?) -> String? {
        let expected = "an IANA time zone such as \"Europe/Berlin\""
        guard let node, let text = text(node, limit: TimeZoneSyntax.maximumLength, expected: expected) else {
            return nil
        }
        guard TimeZoneSyntax.isName(text) else {
            refuse(node, expected: expected)
            return nil
        }
        return text
    }
}
