/// The resources that a worker's code has taken and not returned, as the worker itself counts them.
package struct WorkerCount: Sendable, Equatable {
    /// Open descriptors.
    package var descriptors: UInt32
    /// Tasks that were completed and still have references.
    package var tasks: UInt32
    /// Expiration handlers that were called and have not returned.
    package var expirations: UInt32
    /// Background assertions that have not ended.
    package var assertions: UInt32
    /// Bytes that the C library has allocated and not freed; 0: unknown.
    package var heap: UInt64
    package var changes: Changes

    /// What belongs to the process and is another than it was.
    package struct Changes: OptionSet, Sendable, Equatable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Descriptors 1 and 2.
        package static let standardOutput = Changes(rawValue: 1)
        package static let standardError = Changes(rawValue: 2)
        package static let workingFolder = Changes(rawValue: 4)
        /// A handler left signals blocked in the thread that it had been lent.
        package static let signals = Changes(rawValue: 8)
        package static let fileMode = Changes(rawValue: 16)
    }

    package init(
        descriptors: UInt32, tasks: UInt32, expirations: UInt32, assertions: UInt32, heap: UInt64, changes: Changes
    ) {
        self.descriptors = descriptors
        self.tasks = tasks
        self.expirations = expirations
        self.assertions = assertions
        self.heap = heap
        self.changes = changes
    }
}
