/// A sentence about a test that cannot continue.
package struct Problem: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
