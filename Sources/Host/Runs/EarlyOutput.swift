import TaskModel

/// Output of a process before its first run: its first bytes and its last ones, because a process that dies says why at the
/// end. Bounded; bytes omitted between the two are counted.
struct EarlyOutput {
    /// Bytes kept of each end.
    static let mostHead = 16 << 10
    static let mostTail = 16 << 10

    private(set) var head: [UInt8] = []
    private(set) var tail: [UInt8] = []
    /// Bytes between the two that were not kept.
    private(set) var dropped = 0

    var isEmpty: Bool { head.isEmpty }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        let first = bytes.prefix(Self.mostHead - head.count)
        head.append(contentsOf: first)
        let rest = bytes.dropFirst(first.count)
        guard !rest.isEmpty else { return }
        let excess = max(0, tail.count + rest.count - Self.mostTail)
        tail.removeFirst(min(excess, tail.count))
        tail.append(contentsOf: rest.suffix(Self.mostTail))
        dropped += excess
    }

    /// Its last lines. Where nothing is omitted, the last bytes continue the first ones.
    var lastLines: [String] { LastLines.of(dropped == 0 ? head + tail : tail) }
}
