/// Why a run expires.
public enum ExpirationReason: UInt32, Sendable {
    /// Its time is up.
    case budget = 1
    /// It needed external power, which is gone.
    case powerLost = 2
    /// It needed a network, which is gone.
    case networkLost = 3
    /// It waited for an idle machine, and somebody uses it.
    case userActive = 4
    /// Memory is short.
    case memoryPressure = 5
    /// The machine is too hot.
    case thermal = 6
    /// A person cancelled it.
    case userCancelled = 7
    /// The host stops.
    case hostStopping = 8
    /// Another run of the application had to be killed.
    case applicationTerminated = 9
    /// A person asked for an expiration, to see what happens.
    case simulated = 10
    /// It made no progress.
    case noProgress = 11
    /// The disk is nearly full.
    case diskLow = 12
    /// The window for discretionary work is over.
    case windowClosed = 13
}
