/// A window of time that comes back, as the host's configuration tells it: work that may wait runs in it, or everywhere
/// but in it.
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
