/// Which signposts belong together. Nothing is written for any of them here.
public struct OSSignpostID: RawRepresentable, Comparable, Hashable, Sendable {
    /// The name as a number.
    public let rawValue: UInt64
    /// - Parameter rawValue: the name as a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// - Parameter value: the name as a number.
    public init(_ value: UInt64) { rawValue = value }
    /// One that no other call has made.
    public init(log: OSLog) { rawValue = .random(in: 1...UInt64(UInt32.max)) }
    /// The same id for the same object, for its lifetime.
    public init(log: OSLog, object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

    /// For intervals of which one at a time is open.
    public static let exclusive = OSSignpostID(rawValue: 0xEEEE_B0B5_B2B2_EEEE)
    /// Names nothing that can be written.
    public static let invalid = OSSignpostID(rawValue: .max)
    /// Names nothing.
    public static let null = OSSignpostID(rawValue: 0)

    /// By number.
    public static func < (first: OSSignpostID, second: OSSignpostID) -> Bool { first.rawValue < second.rawValue }
}

/// The type of a signpost.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
    /// The type as a number.
    public let rawValue: UInt8
    /// - Parameter rawValue: the type as a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A moment.
    public static let event = OSSignpostType(rawValue: 0)
    /// The beginning of an interval.
    public static let begin = OSSignpostType(rawValue: 1)
    /// The end of an interval.
    public static let end = OSSignpostType(rawValue: 2)
}

extension OSLog {
    /// False: signposts are not recorded here.
    public var signpostsEnabled: Bool { false }
}

/// Does nothing: signposts are not recorded here.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {}

/// Does nothing: signposts are not recorded here.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any?...
) {}
