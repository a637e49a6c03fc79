/// A fault that a test lets happen; the names are those of `taskhost simulate`.
///
/// A process cannot be killed in a unit test: the application's code continues, and the host does not hear it any more, as
/// though its process were gone. The next launch calls the launch closure anew.
public enum TestFault: Sendable, CaseIterable {
    /// The application's process crashes: SIGSEGV.
    case crash
    /// Somebody kills it: SIGKILL.
    case kill
    /// The next launch takes longer than the host waits: its run is refused.
    case slowLaunch
    /// The application's folders are full.
    case diskFull
    /// Memory is short on the machine: what minds it expires, what is suspended ends.
    case memoryPressure
    /// The application's process runs out of memory.
    case outOfMemory
}
