/// Why a run expired or was stopped. The numbers are those of `TASKHOST_REASON_…` in taskhost.h.
package enum Reason: UInt8, NamedCases, Sendable, BitwiseCopyable {
    case budget = 1
    case powerLost = 2
    case networkLost = 3
    case userActive = 4
    case memoryPressure = 5
    case thermal = 6
    case userCancelled = 7
    case hostStopping = 8
    /// A sibling run in the same process had to be killed.
    case applicationTerminated = 9
    case simulated = 10
    case noProgress = 11
    /// The file system of the state folder is nearly full.
    case diskLow = 12
    /// The window for discretionary work is over.
    case windowClosed = 13
    /// The next time of its schedule has come, which takes its place.
    case superseded = 14
    /// The host's lease for a request of its fleet is over, or about to be: another host may run it.
    case leaseLost = 15

    /// The user or the host decided it, regardless of the machine's conditions.
    package var isDecided: Bool {
        switch self {
        case .userCancelled, .hostStopping, .applicationTerminated, .simulated, .superseded, .leaseLost: true
        case .budget, .powerLost, .networkLost, .userActive, .memoryPressure, .thermal, .noProgress, .diskLow,
            .windowClosed:
            false
        }
    }
}
