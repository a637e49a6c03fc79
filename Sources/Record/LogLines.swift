package import TaskModel

/// One line of a run's log.
package struct LogLine: Sendable, Equatable {
    /// What its first bytes came with; nil: an earlier version kept it.
    package var mark: LogMark?
    /// Without the end of the line.
    package var text: [UInt8]
    /// Its end was printed. If not, what follows of its stream continues it.
    package var isWhole: Bool

    package init(mark: LogMark?, text: [UInt8], isWhole: Bool) {
        self.mark = mark
        self.text = text
        self.isWhole = isWhole
    }
}

/// The lines of a log's parts, in the order in which they begin. Each stream has lines of its own: a line of one may be
/// interrupted by those of another.
package struct LogLines {
    /// The most lines of one answer.
    package static let most = 1_000
    /// Bytes after which an answer takes no further part.
    package static let mostBytes = 64 << 10

    package private(set) var lines: [LogLine] = []
    /// Where the next answer continues.
    package private(set) var place: LogPlace
    /// The unfinished line of each stream, by the stream's number; 0: unknown.
    private var open = [Int?](repeating: nil, count: LogStream.allCases.count + 1)

    package init(from place: LogPlace) { self.place = place }

    package var isFull: Bool { lines.count >= Self.most }

    /// Takes a part's bytes from the place on, as far as there is room for their lines.
    package mutating func add(_ part: LogPart) {
        var rest = part.bytes[...]
        if part.number == place.part { rest = rest.dropFirst(place.skipped) }
        let stream = Int(part.mark?.stream.rawValue ?? 0)
        while !rest.isEmpty, !isFull || open[stream] != nil {
            let end = rest.firstIndex(of: 0x0A)
            take(rest[..<(end ?? rest.endIndex)], isWhole: end != nil, part.mark, stream)
            rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
        }
        place = LogPlace(part: part.number, skipped: part.bytes.count - rest.count)
    }

    private mutating func take(_ text: ArraySlice<UInt8>, isWhole: Bool, _ mark: LogMark?, _ stream: Int) {
        if let line = open[stream] {
            lines[line].text += text
            lines[line].isWhole = isWhole
        } else if mark?.stream == .host && text.isEmpty && isWhole {
            // The host's remark begins with the end of the line before it.
            return
        } else {
            lines.append(LogLine(mark: mark, text: Array(text), isWhole: isWhole))
            open[stream] = lines.count - 1
        }
        if isWhole { open[stream] = nil }
    }
}
