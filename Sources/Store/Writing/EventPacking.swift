import TaskModel

/// A run's events as bytes: for each its kind, its detail, and the nanoseconds since the event before it (since the
/// submission for the first) as `ZigZag` writes it. A common event takes five or six bytes instead of ten.
enum EventPacking {
    /// A run has a few events; further ones of a faulty host are dropped.
    static let maximumCount = 64
    /// Kind, detail and the ten bytes that the largest 64-bit number takes.
    static let maximumSize = maximumCount * 12

    /// Writes the events and returns the number of bytes. `buffer` has `maximumSize` bytes.
    static func pack(_ events: Span<RunEvent>, since start: Timestamp, into buffer: UnsafeMutableRawBufferPointer)
        -> Int
    {
        var position = 0
        var previous = start.nanoseconds
        for index in 0..<min(events.count, maximumCount) {
            let event = events[index]
            unsafe buffer[position] = event.kind.rawValue
            unsafe buffer[position + 1] = event.detail
            position += 2
            unsafe position += ZigZag.write(event.at.nanoseconds &- previous, into: buffer, at: position)
            previous = event.at.nanoseconds
        }
        return position
    }

    /// Reads what `pack` wrote; nil for anything else.
    static func unpack(_ bytes: UnsafeRawBufferPointer, since start: Timestamp) -> [RunEvent]? {
        guard bytes.count <= maximumSize else { return nil }
        var events: [RunEvent] = []
        var position = 0
        var previous = start.nanoseconds
        while position < bytes.count {
            guard position + 2 < bytes.count, let kind = unsafe RunEvent.Kind(rawValue: bytes[position]) else {
                return nil
            }
            let detail = unsafe bytes[position + 1]
            position += 2
            guard let step = unsafe ZigZag.read(bytes, at: &position) else { return nil }
            previous &+= step
            events.append(RunEvent(kind: kind, at: Timestamp(nanoseconds: previous), detail: detail))
        }
        return events
    }
}
