import TaskModel

/// The first bytes of an output and its last ones, because a process that dies says why at the end. Bounded; bytes omitted
/// between the two are counted.
struct OutputEnds {
    /// Bytes that came together.
    struct Piece {
        var mark: LogMark
        var bytes: [UInt8]
    }

    /// Bytes kept of each end.
    static let mostHead = 16 << 10
    static let mostTail = 16 << 10

    private(set) var head: [Piece] = []
    private(set) var tail: [Piece] = []
    private var headCount = 0
    private var tailCount = 0
    /// Bytes between the two that were not kept.
    private(set) var dropped = 0

    var isEmpty: Bool { head.isEmpty }

    mutating func append(_ bytes: ArraySlice<UInt8>, _ mark: LogMark) {
        let first = bytes.prefix(Self.mostHead - headCount)
        headCount += first.count
        Self.append(first, mark, to: &head)
        let rest = bytes.dropFirst(first.count)
        Self.append(rest.suffix(Self.mostTail), mark, to: &tail)
        tailCount += min(rest.count, Self.mostTail)
        dropped += max(0, rest.count - Self.mostTail)
        while tailCount > Self.mostTail {
            let excess = min(tailCount - Self.mostTail, tail[0].bytes.count)
            tail[0].bytes.removeFirst(excess)
            if tail[0].bytes.isEmpty { tail.removeFirst() }
            tailCount -= excess
            dropped += excess
        }
    }

    private static func append(_ bytes: ArraySlice<UInt8>, _ mark: LogMark, to pieces: inout [Piece]) {
        guard !bytes.isEmpty else { return }
        if pieces.last?.mark == mark {
            pieces[pieces.count - 1].bytes += bytes
        } else {
            pieces.append(Piece(mark: mark, bytes: Array(bytes)))
        }
    }

    /// Its last lines. Where nothing is omitted, the last bytes continue the first ones.
    var lastLines: [String] { LastLines.of((dropped == 0 ? head + tail : tail).flatMap(\.bytes)) }
}
