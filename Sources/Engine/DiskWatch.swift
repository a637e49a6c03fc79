import TaskModel

/// What the engine knows of the file system that applications write to.
struct DiskWatch: Sendable {
    /// What was free at the last look; nil: nobody has looked.
    var free: ByteCount?
    /// When to look; `distantFuture`: nothing runs that could fill it.
    var next = Instant.distantFuture
    /// Between the last look and the next.
    var span = DiskWatch.shortestSpan
    /// A look was asked for.
    var isAwaited = false
    var isLow = false

    /// Between two looks while the disk fills, and after the first run starts.
    static let shortestSpan = TimeSpan.milliseconds(250)
    /// Between two looks when nothing is written, however much is free.
    static let longestSpan = TimeSpan.seconds(30)
    /// Bytes a second that one machine writes at the most: the page cache of fast memory takes them. What is free above the
    /// floor cannot be gone before.
    static let fastestRate: UInt64 = 2 << 30
    /// What is noise of the file system and of others, and no reason to look sooner.
    static let noise = ByteCount.mebibytes(1)
}
