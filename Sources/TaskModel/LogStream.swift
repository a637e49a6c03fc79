/// Where the bytes of a run's log come from. The record keeps the numbers.
package enum LogStream: UInt8, Sendable, NamedCases {
    case stdout = 1
    case stderr = 2
    /// The handler's own lines, by the host's log service.
    case log = 3
    /// A remark of the host, such as what it left out.
    case host = 4
}

/// When a piece of a run's log came, and where from.
package struct LogMark: Sendable, Equatable {
    package var stream: LogStream
    package var at: Timestamp

    package init(_ stream: LogStream, at: Timestamp) {
        self.stream = stream
        self.at = at
    }
}
