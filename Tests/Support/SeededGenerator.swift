import Glibc
package import TaskModel

/// A small generator that gives the same numbers for the same seed on every machine (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// The number in `TASKHOST_SEED`, a new one each time for `TASKHOST_SEED=random`, and always the same without it: a
    /// commit that passed passes again.
    package static func chosenSeed() -> UInt64 {
        switch getenv("TASKHOST_SEED").map({ String(cString: $0) }) {
        case nil: 1
        case "random": UInt64.random(in: 0...UInt64(UInt32.max))
        case let text?: UInt64(text) ?? { preconditionFailure("TASKHOST_SEED is no number: \(text)") }()
        }
    }

    package mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

    /// A span between the two, small ones as likely as large ones.
    package mutating func span(_ shortest: TimeSpan, _ longest: TimeSpan) -> TimeSpan {
        let low = max(1, shortest.nanoseconds)
        guard longest.nanoseconds > low else { return TimeSpan(nanoseconds: low) }
        let doublings = 63 - (longest.nanoseconds / low).leadingZeroBitCount
        let part = low << Int64.random(in: 0...Int64(max(0, doublings)), using: &self)
        return TimeSpan(nanoseconds: min(longest.nanoseconds, Int64.random(in: part...part * 2, using: &self)))
    }
}
