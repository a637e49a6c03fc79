/// A fault that a user lets happen to a task, so that the author of its handler sees what follows.
/// The names are those that people write.
package enum SimulatedFault: String, CaseIterable, Sendable {
    /// Its process gets SIGSEGV.
    case crash
    /// Its process gets SIGKILL.
    case kill
    /// Its process takes longer to launch than the host waits.
    case slowLaunch = "slow-launch"
    /// Nothing can be created in its process, and no file can grow.
    case diskFull = "disk-full"
    /// Its run is warned because memory is short.
    case memoryPressure = "memory-pressure"

    /// It is of a process from its launch on: one that is there already cannot have it.
    package var isOfLaunch: Bool {
        switch self {
        case .slowLaunch, .diskFull: true
        case .crash, .kill, .memoryPressure: false
        }
    }
}
