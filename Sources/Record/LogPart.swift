package import TaskModel

/// What a run printed in one turn on one stream.
package struct LogPart: Sendable, Equatable {
    /// Its number within the run's log: ascending, not without gaps.
    package var number: Int64
    /// nil: an earlier version kept it, without them.
    package var mark: LogMark?
    package var bytes: [UInt8]

    package init(number: Int64, mark: LogMark?, bytes: [UInt8]) {
        self.number = number
        self.mark = mark
        self.bytes = bytes
    }
}

/// A place between two bytes of a run's log. As a number it is what the API calls `offset`: exact in programs whose numbers
/// have 53 bits.
package struct LogPlace: Sendable, Equatable {
    /// The number of a part; 0 is before the first.
    package var part: Int64
    /// How many of its bytes are before the place.
    package var skipped: Int

    /// Bits for `skipped`: a part has `RecordLimits.outputPart` bytes at most.
    private static let bits = 21

    package init(part: Int64, skipped: Int) {
        self.part = part
        self.skipped = skipped
    }

    package init(number: Int64) {
        self.init(part: number >> Self.bits, skipped: Int(number & (1 << Self.bits - 1)))
    }

    package var number: Int64 { part << Self.bits | Int64(skipped) }
}
