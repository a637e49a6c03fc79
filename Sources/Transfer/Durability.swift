/// How much of a growing file is certain to be on disk, and which checkpoints are under way. They are answered in the order in
/// which they began.
struct Durability {
    /// Bytes at the file's beginning.
    private(set) var bytes: Int64
    private var pending = 0
    /// Of the oldest of them: they are of bytes that were cut away since.
    private var stale = 0

    init(of bytes: Int64) { self.bytes = bytes }

    /// There are checkpoints under way.
    var isBusy: Bool { pending > 0 }

    mutating func checkpointBegan() { pending += 1 }

    mutating func checkpointEnded() {
        pending = max(0, pending - 1)
        stale = max(0, stale - 1)
    }

    /// The oldest checkpoint has made this many bytes durable.
    ///
    /// - Returns: false: the file has had others since.
    mutating func reached(_ size: Int64) -> Bool {
        guard stale == 0 else { return false }
        bytes = max(bytes, size)
        return true
    }

    /// The file has at most that many of the bytes that it had.
    mutating func cut(to size: Int64) {
        bytes = min(bytes, size)
        stale = pending
    }
}
