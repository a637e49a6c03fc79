/// Why bytes are not a zone file: what was found and where, for a sentence of the host.
package struct TimeZoneFault: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
