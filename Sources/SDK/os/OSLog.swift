internal import TaskHostRuntime

/// A log by the names that it writes before its lines.
open class OSLog: NSObject, @unchecked Sendable {  // immutable
    /// Names of categories that have a meaning.
    public struct Category: RawRepresentable, Sendable {
        /// The name.
        public let rawValue: String
        /// - Parameter rawValue: the name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Events for performance analysis.
        public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    }

    let prefix: String
    private let isOn: Bool

    /// - Parameters:
    ///   - subsystem: the owner of the lines, in reverse-DNS notation.
    ///   - category: which part of it.
    public init(subsystem: String, category: String) {
        prefix = subsystem.isEmpty && category.isEmpty ? "" : "[\(subsystem):\(category)] "
        isOn = true
    }

    /// - Parameters:
    ///   - subsystem: the owner of the lines, in reverse-DNS notation.
    ///   - category: which part of it.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    private init(isOn: Bool) {
        prefix = ""
        self.isOn = isOn
    }

    /// The log without names.
    public static let `default` = OSLog(isOn: true)
    /// The log that drops its lines.
    public static let disabled = OSLog(isOn: false)

    /// Whether lines of this importance are kept.
    open func isEnabled(type: OSLogType) -> Bool { isOn }

    func write(_ type: OSLogType, _ text: String) {
        if isOn { RunLog.write(type.level, prefix + text) }
    }
}
