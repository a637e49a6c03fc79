/// Writes lines to the log of the run that the calling code works for; to standard error where there is none.
public struct Logger: Sendable {
    private let log: OSLog

    /// Writes lines without names.
    public init() { log = .default }
    /// - Parameters:
    ///   - subsystem: the owner of the lines, in reverse-DNS notation.
    ///   - category: which part of it.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    /// - Parameter logObj: the log to write to.
    public init(_ logObj: OSLog) { log = logObj }

    /// Writes a line.
    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes a line of the given importance.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
    /// Writes a line for developers.
    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Writes a line for developers.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Writes a line that helps.
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
    /// Writes a line of no special importance.
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes a warning.
    public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
    /// Writes a line about something that went wrong.
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
    /// Writes a line about something that went badly wrong.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
    /// Writes a line about something that should not be possible.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}
