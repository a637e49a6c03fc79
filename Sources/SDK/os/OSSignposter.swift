/// What goes with a signpost.
public typealias SignpostMetadata = OSLogMessage

/// An interval between its beginning and its end.
public final class OSSignpostIntervalState: Sendable {
    let signpostID: OSSignpostID
    init(_ signpostID: OSSignpostID) { self.signpostID = signpostID }
    /// The state of an interval that was begun elsewhere.
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
}

/// Marks moments and intervals for Instruments. There is none here: everything can be called, and nothing is written.
public struct OSSignposter: Sendable {
    /// Makes a signposter without names.
    public init() {}
    /// - Parameters:
    ///   - subsystem: the owner of the signposts, in reverse-DNS notation.
    ///   - category: which part of it.
    public init(subsystem: String, category: String) {}
    /// - Parameters:
    ///   - subsystem: the owner of the signposts, in reverse-DNS notation.
    ///   - category: which part of it.
    public init(subsystem: String, category: OSLog.Category) {}
    /// - Parameter logHandle: the log with its names.
    public init(logHandle: OSLog) {}
    /// - Parameter logger: the logger with its names.
    public init(logger: Logger) {}

    /// One that writes nothing, as every other.
    public static let disabled = OSSignposter()
    /// False: signposts are not recorded here.
    public var isEnabled: Bool { false }

    /// A name that no other call has made.
    public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: .disabled) }
    /// The same id for the same object, for its lifetime.
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID { OSSignpostID(log: .disabled, object: object) }

    /// Begins an interval; writes nothing.
    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
        OSSignpostIntervalState(id)
    }
    /// Begins an interval; writes nothing.
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
    ) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
    /// Begins an interval; writes nothing.
    public func beginAnimationInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
        OSSignpostIntervalState(id)
    }
    /// Begins an interval; writes nothing.
    public func beginAnimationInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
    ) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }

    /// Ends an interval; writes nothing.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
    /// Ends an interval; writes nothing.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {}

    /// Marks a moment; writes nothing.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
    /// Marks a moment; writes nothing.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {}

    /// Runs `task`; writes nothing.
    public func withIntervalSignpost<Result>(
        _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Result
    ) rethrows -> Result { try task() }
    /// Runs `task`; writes nothing.
    public func withIntervalSignpost<Result>(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata,
        around task: () throws -> Result
    ) rethrows -> Result { try task() }
}
