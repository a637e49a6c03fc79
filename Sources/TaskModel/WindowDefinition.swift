/// A recurring window of time in the host's configuration: work that may wait runs only in it, or only outside of it.
package struct WindowDefinition: Sendable, Hashable {
    /// When it begins.
    package var from: CalendarExpression
    /// For how long, in time that really passes.
    package var length: TimeSpan
    /// The IANA name of the zone that `from` is meant in; nil: the machine's own.
    package var timeZone: String?
    /// It keeps work from running.
    package var isClosed: Bool

    package init(from: CalendarExpression, length: TimeSpan, timeZone: String? = nil, isClosed: Bool = false) {
        self.from = from
        self.length = length
        self.timeZone = timeZone
        self.isClosed = isClosed
    }
}
