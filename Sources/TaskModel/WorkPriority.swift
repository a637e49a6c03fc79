/// The order of what is due among tasks of one kind.
package enum WorkPriority: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case low
    case normal
    case high

    /// How often in a row requests of higher priority may go past a waiting one of their kind.
    package static let mostPassed: UInt8 = 4
}
