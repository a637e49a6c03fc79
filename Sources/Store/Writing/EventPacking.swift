import TaskModel

/// A run's events as bytes: for each its kind, its detail, and the nanoseconds since the event before it (since the
/// submission for the first), in base 128 with the lowest seven bits first and the sign in bit 0 (zigzag). A common event
/// takes five or six bytes instead of ten.
enum EventPacking {
    /// A run has a handful of events; what a faulty host adds beyond this is left out.
    static let maximumCount = 64
    /// Kind, detail and the ten bytes that the largest 64-bit number takes.
    static let maximumSize = maximumCount * 12

    /// Writes the events and says how many bytes they took. `buffer` holds `maximumSize` bytes.
    static func pack(_ events: Span<RunEvent>, since start: Timestamp, into buffer: UnsafeMutableRawBufferPointer)
        -> Int
    {
        var position = 0
        var previous = start.nanoseconds
        for index in 0..<min(events.count, maximumCount) {
            let event = events[index]
            buffer[position] = event.kind.rawValue
            buffer[position + 1] = event.detail
            position += 2
            let step = event.at.nanoseconds &- previous
            previous = event.at.nanoseconds
            var rest = UInt64(bitPattern: (step << 1) ^ (step >> 63))
            while rest >= 0x80 {
                buffer[position] = UInt8(truncatingIfNeeded: rest) | 0x80
                rest >>= 7
                position += 1
            }
            buffer[position] = UInt8(truncatingIfNeeded: rest)
            position += 1
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
            guard position + 2 < bytes.count, let kind = RunEvent.Kind(rawValue: bytes[position]) else { return nil }
            let detail = bytes[position + 1]
            position += 2
            var zigzag: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                guard position < bytes.count, shift < 64 else { return nil }
                let byte = bytes[position]
                zigzag |= UInt64(byte & 0x7F) << shift
                position += 1
                shift += 7
                if byte < 0x80 { break }
            }
            previous &+= Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
            events.append(RunEvent(kind: kind, at: Timestamp(nanoseconds: previous), detail: detail))
        }
        return events
    }
}
