/// The lines of logs. Always empty here: they are the host's, and `taskhost logs RUN` shows them.
open class OSLogStore: NSObject, @unchecked Sendable {  // immutable
    /// Whose lines are read.
    public enum Scope: Int, Sendable {
        /// The machine's.
        case system = 0
        /// This process's.
        case currentProcessIdentifier = 1
    }

    /// - Parameter scope: whose lines are read.
    public init(scope: Scope) throws {}

    /// From a date on.
    open func position(date: Date) -> OSLogPosition { OSLogPosition() }
    /// This many seconds before the end.
    open func position(timeIntervalSinceEnd seconds: TimeInterval) -> OSLogPosition { OSLogPosition() }
    /// This many seconds after the last boot.
    open func position(timeIntervalSinceLatestBoot seconds: TimeInterval) -> OSLogPosition { OSLogPosition() }

    /// No lines.
    open func getEntries(
        with options: OSLogEnumerator.Options = [], at position: OSLogPosition? = nil,
        matching predicate: NSPredicate? = nil
    ) throws -> AnySequence<OSLogEntry> { AnySequence([]) }
}

/// Where to begin reading.
open class OSLogPosition: NSObject, @unchecked Sendable {}  // no state

/// Goes over the lines.
open class OSLogEnumerator: NSObject {
    /// How to go over them.
    public struct Options: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the options as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// From the newest on.
        public static let reverse = Options(rawValue: 1)
    }
}

/// One line. There is none.
open class OSLogEntry: NSObject {
    /// The line.
    open var composedMessage: String { "" }
    /// When it was written.
    open var date: Date { .distantPast }
    override init() {}
}

/// One line of a log. There is none.
open class OSLogEntryLog: OSLogEntry {
    /// How important a line is.
    public enum Level: Int, Sendable {
        /// Unknown.
        case undefined = 0
        /// For developers.
        case debug = 1
        /// Helpful, not essential.
        case info = 2
        /// Of no special importance.
        case notice = 3
        /// Something went wrong.
        case error = 4
        /// Something went wrong that should not be possible.
        case fault = 5
    }
    /// How important it is.
    open var level: Level { .undefined }
    /// Whose line it is.
    open var subsystem: String { "" }
    /// Which part of it.
    open var category: String { "" }
    /// The process that wrote it.
    open var process: String { "" }
    /// The process that wrote it.
    open var processIdentifier: pid_t { 0 }
    /// The library that wrote it.
    open var sender: String { "" }
    /// The thread that wrote it.
    open var threadIdentifier: UInt64 { 0 }
    /// Its format.
    open var formatString: String { "" }
}
