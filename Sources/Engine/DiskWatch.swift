import TaskModel

/// The engine's data about the file system that applications write to.
struct DiskWatch: Sendable {
    /// Free space at the last measurement; nil: never measured.
    var free: ByteCount?
    /// When to measure; `distantFuture`: nothing runs that could fill the disk.
    var next = Instant.distantFuture
    /// The pause before the next measurement.
    var span = DiskWatch.shortestSpan
    /// A measurement is in progress.
    var isAwaited = false
    var isLow = false

    /// The pause while the disk fills, and after the first run starts.
    static let shortestSpan = TimeSpan.milliseconds(250)
    /// The pause when nothing is written, regardless of free space.
    static let longestSpan = TimeSpan.seconds(30)
    /// The highest rate in bytes a second at which a machine can write, into the page cache of fast memory. Free space above
    /// the floor lasts at least that long.
    static let fastestRate: UInt64 = 2 << 30
    /// A smaller change is noise of the file system and of other programs, and no reason to measure sooner.
    static let noise = ByteCount.mebibytes(1)
}
