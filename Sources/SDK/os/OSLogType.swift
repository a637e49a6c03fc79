internal import CTaskHost

/// How important a line is.
public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
    /// The level as a number.
    public let rawValue: UInt8
    /// - Parameter rawValue: the level as a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// - Parameter rawValue: the level as a number.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// Of no special importance.
    public static let `default` = OSLogType(rawValue: 0)
    /// Helpful, not essential.
    public static let info = OSLogType(rawValue: 1)
    /// For developers.
    public static let debug = OSLogType(rawValue: 2)
    /// Something went wrong.
    public static let error = OSLogType(rawValue: 16)
    /// Something went wrong that should not be possible.
    public static let fault = OSLogType(rawValue: 17)

    /// `TASKHOST_LOG_…`
    var level: UInt32 {
        switch self {
        case .debug: TASKHOST_LOG_DEBUG
        case .info: TASKHOST_LOG_INFO
        case .error, .fault: TASKHOST_LOG_ERROR
        default: TASKHOST_LOG_NOTICE
        }
    }
}
