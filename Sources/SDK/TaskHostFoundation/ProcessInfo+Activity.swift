internal import Synchronization
internal import TaskHostRuntime

extension ProcessInfo {
    /// What an activity needs. Here each of them means background time, which `latencyCritical` alone does not ask for.
    public struct ActivityOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt64
        /// - Parameter rawValue: the options as bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        /// No sleep of the display.
        public static let idleDisplaySleepDisabled = ActivityOptions(rawValue: 1 << 40)
        /// No sleep of an idle system.
        public static let idleSystemSleepDisabled = ActivityOptions(rawValue: 1 << 20)
        /// No end without warning.
        public static let suddenTerminationDisabled = ActivityOptions(rawValue: 1 << 14)
        /// No termination without windows.
        public static let automaticTerminationDisabled = ActivityOptions(rawValue: 1 << 15)
        /// The user waits for it.
        public static let userInitiated = ActivityOptions(rawValue: 0x00FF_FFFF | 1 << 20)
        /// The user waits for it, and the machine may sleep.
        public static let userInitiatedAllowingIdleSystemSleep = ActivityOptions(rawValue: 0x00FF_FFFF & ~(1 << 20))
        /// The user does not wait for it.
        public static let background = ActivityOptions(rawValue: 0xFF)
        /// Timers and transfers must be punctual.
        public static let latencyCritical = ActivityOptions(rawValue: 0xFF_0000_0000)
    }

    /// Keeps the process from being ended without runs, within the application's background time.
    /// - Parameters:
    ///   - options: its requirements.
    ///   - reason: its purpose, for the host's journal.
    /// - Returns: the activity. It ends with `endActivity`, or with its last reference.
    public func beginActivity(options: ActivityOptions = [], reason: String) -> any NSObjectProtocol {
        precondition(!reason.isEmpty, "beginActivity: the reason must not be empty")
        let needsTime = !options.subtracting(.latencyCritical).isEmpty
        return Activity(needsTime ? Assertions.begin(reason, expired: { _ in }) : nil)
    }

    /// Ends an activity. A second call does nothing.
    public func endActivity(_ activity: any NSObjectProtocol) { (activity as? Activity)?.end() }

    /// Does something as an activity.
    /// - Parameters:
    ///   - options: its requirements.
    ///   - reason: its purpose, for the host's journal.
    ///   - block: what to do.
    public func performActivity(options: ActivityOptions = [], reason: String, using block: () -> Void) {
        let activity = beginActivity(options: options, reason: reason)
        block()
        endActivity(activity)
    }
}

private final class Activity: NSObject, Sendable {
    private let assertion: Mutex<Int?>

    init(_ assertion: Int?) {
        self.assertion = Mutex(assertion)
        super.init()
    }

    deinit { end() }

    func end() {
        let open = assertion.withLock { assertion in
            defer { assertion = nil }
            return assertion
        }
        if let open { _ = Assertions.end(open) }
    }
}
