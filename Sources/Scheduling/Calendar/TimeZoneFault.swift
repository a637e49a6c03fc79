/// Why bytes are no zone file. What was found and where, for a sentence of the host's.
package struct TimeZoneFault: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
