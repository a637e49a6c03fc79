/// Why an application was terminated: Apple's reasons (MetricKit's `MXBackgroundExitData`; "Understanding the exception
/// types in a crash report", SIGKILL), with their documented codes. The numbers are stored, and never given again.
package enum TerminationReason: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// A callback, or the launch, did not return in its time.
    case appWatchdog = 1
    /// It still held an assertion when its background time was over.
    case backgroundTaskAssertionTimeout = 2
    /// It held more assertions than allowed.
    case tooManyBackgroundTaskAssertions = 3
    /// A `BGTask` was not completed in its time.
    case backgroundTaskTimeout = 4
    /// The completion handler of background session events was not called in its time.
    case sessionEventsTimeout = 5
    /// The completion handler of a fetch or of a remote notification was not called in its time.
    case backgroundFetchTimeout = 6
    /// It held a lock on a file outside its own folders when it was suspended.
    case suspendedWithLockedFile = 7
    /// Its tree used more processor time than it may.
    case cpuResourceLimit = 8
    /// Its tree used more memory than it may.
    case memoryResourceLimit = 9
    /// It was suspended, and the machine needed its memory.
    case memoryPressure = 10
    /// It was suspended, and more applications were than may be.
    case suspendedLimit = 11
    /// The user quit it.
    case forceQuit = 12

    /// The documented termination code; nil: Apple gives none.
    package var code: UInt32? {
        switch self {
        case .appWatchdog, .backgroundTaskAssertionTimeout: 0x8bad_f00d
        case .tooManyBackgroundTaskAssertions: 0xbada_5e47
        case .backgroundTaskTimeout: 0x2182_bad2
        case .sessionEventsTimeout: 0x2182_bad3
        case .backgroundFetchTimeout: 0x2182_bad4
        case .suspendedWithLockedFile: 0xdead_10cc
        case .cpuResourceLimit: 0xd00d_2bad
        case .forceQuit: 0xdead_fa11
        case .memoryResourceLimit, .memoryPressure, .suspendedLimit: nil
        }
    }

    /// The code in its usual form, such as `0x8badf00d`; nil: there is none.
    package var codeText: String? {
        code.map { "0x" + String($0, radix: 16) }
    }
}
