import TaskModel

/// The delays of a run's request, as bytes: for each wait its gate, the nanoseconds from the end of the wait before it
/// (from the submission for the first) to its beginning, and its length, as `ZigZag` writes them.
enum WaitPacking {
    static let maximumCount = Limit.waits.most
    static let maximumSize = maximumCount * (1 + 2 * ZigZag.maximumSize)

    /// Writes the first `maximumCount` waits and returns the number of bytes. `buffer` has `maximumSize` bytes.
    static func pack(_ waits: Span<GateWait>, since start: Timestamp, into buffer: UnsafeMutableRawBufferPointer) -> Int
    {
        var position = 0
        var previous = start.nanoseconds
        for index in 0..<min(waits.count, maximumCount) {
            let wait = waits[index]
            unsafe buffer[position] = wait.gate.rawValue
            position += 1
            unsafe position += ZigZag.write(wait.from.nanoseconds &- previous, into: buffer, at: position)
            unsafe position += ZigZag.write(wait.to.nanoseconds &- wait.from.nanoseconds, into: buffer, at: position)
            previous = wait.to.nanoseconds
        }
        return position
    }

    /// Reads what `pack` wrote; nil for anything else.
    static func unpack(_ bytes: UnsafeRawBufferPointer, since start: Timestamp) -> [GateWait]? {
        guard bytes.count <= maximumSize else { return nil }
        var waits: [GateWait] = []
        var position = 0
        var previous = start.nanoseconds
        while position < bytes.count {
            guard let gate = unsafe Gate(rawValue: bytes[position]) else { return nil }
            position += 1
            guard let pause = unsafe ZigZag.read(bytes, at: &position),
                let length = unsafe ZigZag.read(bytes, at: &position)
            else {
                return nil
            }
            let from = Timestamp(nanoseconds: previous &+ pause)
            let to = Timestamp(nanoseconds: from.nanoseconds &+ length)
            waits.append(GateWait(gate: gate, from: from, to: to))
            previous = to.nanoseconds
        }
        return waits
    }
}
