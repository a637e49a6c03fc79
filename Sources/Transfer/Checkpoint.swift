import TaskModel

/// When a part of a file is made durable: after this many bytes, but not too often; for a slow one also after some time.
struct Checkpoint {
    private static let distance: Int64 = 64 << 20
    private static let pause = TimeSpan.seconds(5)
    /// The most that a power cut costs a slow transfer.
    private static let longest = TimeSpan.seconds(30)

    private let size: Int64
    private let instant: Instant

    init(size: Int64, at instant: Instant) {
        self.size = size
        self.instant = instant
    }

    func isDue(size: Int64, at now: Instant) -> Bool {
        size - self.size >= Self.distance && now >= instant + Self.pause
            || size > self.size && now >= instant + Self.longest
    }
}
