import TaskModel

/// What runs printed since the last commit, in order.
struct OutputBuffer {
    struct Part {
        var run: ULID
        var mark: LogMark
        var range: Range<Int>
        var dropped: UInt64
    }
    private(set) var bytes: [UInt8] = []
    private(set) var parts: [Part] = []
    /// The number of dropped bytes need not be recorded at once: at most this many parts wait for that.
    private static let mostWaiting = 64

    /// There is something to write.
    var hasNews: Bool { !bytes.isEmpty || parts.count > Self.mostWaiting }

    mutating func append(_ new: ArraySlice<UInt8>, _ mark: LogMark, dropped: UInt64 = 0, to run: ULID) {
        let start = bytes.count
        bytes.append(contentsOf: new)
        if let last = parts.indices.last, parts[last].run == run, new.isEmpty || parts[last].mark == mark {
            parts[last].range = parts[last].range.lowerBound..<bytes.count
            parts[last].dropped += dropped
        } else {
            parts.append(Part(run: run, mark: mark, range: start..<bytes.count, dropped: dropped))
        }
    }

    /// Counts bytes that are not kept.
    mutating func drop(_ count: Int, _ mark: LogMark, of run: ULID) {
        append([], mark, dropped: UInt64(count), to: run)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
    }
}
