/// What runs printed since the last commit, in order.
struct OutputBuffer {
    struct Part {
        var sequence: Int64
        var range: Range<Int>
        var dropped: UInt64
    }
    private(set) var bytes: [UInt8] = []
    private(set) var parts: [Part] = []
    /// How much was dropped need not be known before something else is: only so many parts wait for that.
    private static let mostWaiting = 64

    /// Something has to be written.
    var hasNews: Bool { !bytes.isEmpty || parts.count > Self.mostWaiting }

    mutating func append(_ new: UnsafeRawBufferPointer, dropped: UInt64 = 0, to sequence: Int64) {
        let start = bytes.count
        bytes.append(contentsOf: new)
        if let last = parts.indices.last, parts[last].sequence == sequence {
            parts[last].range = parts[last].range.lowerBound..<bytes.count
            parts[last].dropped += dropped
        } else {
            parts.append(Part(sequence: sequence, range: start..<bytes.count, dropped: dropped))
        }
    }

    /// Counts bytes that are not kept.
    mutating func drop(_ count: Int, of sequence: Int64) {
        append(UnsafeRawBufferPointer(start: nil, count: 0), dropped: UInt64(count), to: sequence)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
    }
}
