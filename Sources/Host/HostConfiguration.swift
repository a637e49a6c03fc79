package import TaskModel

/// The host's own settings, with their defaults.
package struct HostConfiguration: Sendable {
    package var profile = LimitsProfile.modern
    /// Runs that may be launching or running at once.
    package var concurrency = 64
    /// Users that a host that is root gives to applications, one each. Outside what systemd and subordinate ids use.
    package var users: ClosedRange<UInt32> = 2_000_000_000...2_000_065_535
    /// Runs older than this are forgotten.
    package var retentionAge = TimeSpan.seconds(30 * 86_400)
    /// At most so many runs are remembered.
    package var retentionCount = 100_000
    /// What is kept of a run's output.
    package var outputLimit = 256 << 10
    /// `RLIMIT_FSIZE` of a worker.
    package var fileSize = ByteCount.mebibytes(1024)
    /// Processes and threads of one application.
    package var processes = 512
    /// The way process trees are controlled: nil probes for the best that the machine has.
    package var control: String?

    package init() {}
}
