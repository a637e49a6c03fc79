package import TaskModel

// Times of the calendar.
extension DocumentReader {
    /// Five cron fields.
    package mutating func calendar(_ node: DocumentNode?) -> CalendarExpression? {
        let expected = "five cron fields such as \"30 2 * * MON-FRI\""
        return parsed(node, limit: CalendarSyntax.maximumLength, expected: expected, by: CalendarSyntax.parse)
    }

    /// The name of a time zone; the machine need not have it.
    package mutating func timeZone(_ node: DocumentNode?) -> String? {
        let expected = "an IANA time zone such as \"Europe/Berlin\""
        return text(node, limit: TimeZoneSyntax.maximumLength, expected: expected, where: TimeZoneSyntax.isName)
    }
}
