/// Tells of memory that becomes scarce: never, in a worker.
public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}

extension DispatchSourceMemoryPressure {
    /// What happened last: nothing.
    public var data: DispatchSource.MemoryPressureEvent { [] }
}

extension DispatchSource: DispatchSourceMemoryPressure {}

extension DispatchSource {
    /// How scarce memory is.
    public struct MemoryPressureEvent: OptionSet, Sendable {
        /// The events as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the events as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// No longer scarce.
        public static let normal = MemoryPressureEvent(rawValue: 1)
        /// Scarce.
        public static let warning = MemoryPressureEvent(rawValue: 2)
        /// Very scarce.
        public static let critical = MemoryPressureEvent(rawValue: 4)
        /// Any.
        public static let all: MemoryPressureEvent = [.normal, .warning, .critical]
    }

    /// A source that never fires: the kernel's measures of memory pressure are closed to a worker, and the host ends a
    /// run that exceeds its memory budget without a warning. Its cancel and registration handlers are called.
    /// - Parameters:
    ///   - eventMask: of no effect.
    ///   - queue: where its handlers are called; nil: on a queue of the system.
    public class func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure {
        // Fires when something is merged into it, which nobody does.
        makeUserDataOrSource(queue: queue) as! DispatchSource
    }
}
