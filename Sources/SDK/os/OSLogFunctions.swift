/// Writes a line made of a format, such as `"%{public}@ has %d items"`, and its arguments.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ args: Any?...
) {
    log.write(type, FormattedMessage(message.description, args).text)
}

/// Writes a line made of a format and its arguments.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString, _ args: Any?...
) {
    log.write(type, FormattedMessage(message.description, args).text)
}

/// Writes a line with values whose privacy is chosen one by one.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

/// Writes a line with values whose privacy is chosen one by one.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}
