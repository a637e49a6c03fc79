/// Whose calls a process is told of, so that those that confinement refuses have a name.
package enum Explained: UInt8, FramePart, Sendable {
    case nothing
    /// Those of the worker's programs, by a broker.
    case programs
    /// The worker's own.
    case library
    /// The same of a worker whose library needs the Swift runtime.
    case swiftLibrary
}
