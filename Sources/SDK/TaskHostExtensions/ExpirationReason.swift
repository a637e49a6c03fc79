/// Why a run expires.
public enum ExpirationReason: UInt32, Sendable {
    /// Its time is up.
    case budget = 1
    /// It requires external power, which was lost.
    case powerLost = 2
    /// It requires a network, which was lost.
    case networkLost = 3
    /// It requires an idle machine, and the user is active.
    case userActive = 4
    /// Memory is short.
    case memoryPressure = 5
    /// The machine is too hot.
    case thermal = 6
    /// The user cancelled it.
    case userCancelled = 7
    /// The host stops.
    case hostStopping = 8
    /// Another run of the application had to be killed.
    case applicationTerminated = 9
    /// The user requested an expiration, as a test.
    case simulated = 10
    /// It made no progress.
    case noProgress = 11
    /// The disk is nearly full.
    case diskLow = 12
    /// The window for discretionary work is over.
    case windowClosed = 13
    /// The next time of its schedule has come.
    case superseded = 14
    /// The host's lease for a request of its fleet is over: another host may run it.
    case leaseLost = 15
}
