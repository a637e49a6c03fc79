public import TaskHostExtensions

/// One ended run, as `taskhost show` has it.
public struct RunResult: Sendable, Equatable {
    /// A report of progress.
    public struct Progress: Sendable, Equatable {
        /// Units that are done.
        public var completed: Int64
        /// All units; 0: unknown.
        public var total: Int64
        /// The text for the user; empty: none.
        public var text: String

        /// - Parameters:
        ///   - completed: units that are done.
        ///   - total: all units; 0: unknown.
        ///   - text: the text for the user.
        public init(completed: Int64, total: Int64, text: String = "") {
            self.completed = completed
            self.total = total
            self.text = text
        }
    }

    /// The identifier of its task; for a wildcard the concrete one.
    public var identifier: String
    /// 1 for the first try.
    public var attempt: Int
    /// How it ended.
    public var outcome: RunOutcome
    /// Why it expired or was stopped; nil: it was not.
    public var reason: ExpirationReason?
    /// Every report of progress, in order.
    public var progress: [Progress]
    /// The lines of its log, in order.
    public var log: [String]
    /// Virtual time from the start of the handler to the end; zero: it did not start.
    public var duration: Duration
    /// What the host noticed about the run, a sentence each.
    public var diagnostics: [String]
    /// The request waits for another try.
    public var isPendingAgain: Bool

    /// What the application answered to a fetch or a remote notification; nil: nothing, or it is another run.
    public var fetchAnswer: FetchAnswer?

    /// The handler completed it with success, before any warning.
    public var succeeded: Bool { outcome == .succeeded }
}
