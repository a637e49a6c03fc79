import TaskModel

/// Processor time that fades: after each half-life, time used before counts half as much.
///
/// Stored values never decay. Newer time has a larger weight instead (forward decay), so that the order of two applications
/// never changes by itself, and only the one that used time is updated. The weight doubles with every half-life and grows
/// evenly in between; numbers that large do not fit a `Double`, so a measure is kept as its exponent plus its fraction: 2^e
/// · (1 + f) is `e + f`, which orders like the number itself. Zero: nothing used.
struct UsageMeasure: Sendable, BitwiseCopyable {
    private let halfLife: Double

    init(halfLife: TimeSpan) { self.halfLife = Double(max(1, halfLife.nanoseconds)) }

    /// The measure of an application that had `measure` and used this much more at `time`.
    func adding(_ used: TimeSpan, at time: Timestamp, to measure: Double) -> Double {
        guard used.nanoseconds > 0 else { return measure }
        return Self.sum(measure, weighed(used, at: time))
    }

    /// The used time, with its weight at `time`.
    func remaining(_ measure: Double, at time: Timestamp) -> TimeSpan {
        guard measure > 0 else { return .zero }
        let (exponent, fraction) = Self.parts(measure)
        let weight = Self.parts(position(time))
        let exponents = exponent - weight.exponent
        guard exponents > -64 else { return .zero }
        guard exponents < 62 else { return TimeSpan(nanoseconds: .max) }
        let value =
            (1 + fraction) / (1 + weight.fraction) * Double(sign: .plus, exponent: Int(exponents), significand: 1)
        return TimeSpan(nanoseconds: Int64(value))
    }

    /// The most that any application can have used by `time`, and so the highest honest measure: one from a time when
    /// the clock was ahead is brought down to it.
    func ceiling(at time: Timestamp) -> Double { weighed(.seconds(86_400), at: time) }

    /// Half-lives since 1970: the exponent of the weight. Earlier times have the weight of 1970.
    private func position(_ time: Timestamp) -> Double { max(0, Double(time.nanoseconds) / halfLife) }

    private func weighed(_ used: TimeSpan, at time: Timestamp) -> Double {
        let (exponent, fraction) = Self.parts(position(time))
        let product = Double(used.nanoseconds) * (1 + fraction)
        return exponent + Double(product.exponent) + (product.significand - 1)
    }

    private static func parts(_ measure: Double) -> (exponent: Double, fraction: Double) {
        let exponent = measure.rounded(.down)
        return (exponent, measure - exponent)
    }

    private static func sum(_ a: Double, _ b: Double) -> Double {
        guard a > 0 else { return b }
        let (large, small) = (parts(max(a, b)), parts(min(a, b)))
        let distance = large.exponent - small.exponent
        // A value smaller by this factor does not change the sum.
        guard distance < 60 else { return max(a, b) }
        let total =
            (1 + large.fraction) + (1 + small.fraction) * Double(sign: .plus, exponent: -Int(distance), significand: 1)
        return large.exponent + Double(total.exponent) + (total.significand - 1)
    }
}
