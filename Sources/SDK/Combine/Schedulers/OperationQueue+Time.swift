import TaskHostFoundation

extension OperationQueue {
    /// Points in time.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The time.
        public var date: Date
        /// - Parameter date: the time.
        public init(_ date: Date) { self.date = date }

        /// The time from here to another.
        public func distance(to other: SchedulerTimeType) -> Stride { Stride(other.date.timeIntervalSince(date)) }
        /// The time so much later.
        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(date + n.timeInterval) }
    }
}

extension OperationQueue.SchedulerTimeType {
    /// A length of time.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
        Hashable, Codable, Sendable
    {
        /// Seconds. Unlike other magnitudes they may be negative.
        public var magnitude: TimeInterval
        /// Seconds.
        public var timeInterval: TimeInterval { magnitude }

        /// - Parameter timeInterval: seconds.
        public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
        /// - Parameter value: seconds.
        public init(floatLiteral value: TimeInterval) { magnitude = value }
        /// - Parameter value: seconds.
        public init(integerLiteral value: TimeInterval) { magnitude = value }
        /// - Parameter source: seconds; nil if they cannot be so many exactly.
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let value = TimeInterval(exactly: source) else { return nil }
            magnitude = value
        }

        /// Whether it is the smaller one.
        public static func < (a: Self, b: Self) -> Bool { a.magnitude < b.magnitude }
        /// Both together.
        public static func + (a: Self, b: Self) -> Self { Self(a.magnitude + b.magnitude) }
        /// One without the other.
        public static func - (a: Self, b: Self) -> Self { Self(a.magnitude - b.magnitude) }
        /// Their product, in seconds.
        public static func * (a: Self, b: Self) -> Self { Self(a.magnitude * b.magnitude) }
        /// Adds.
        public static func += (a: inout Self, b: Self) { a = a + b }
        /// Takes away.
        public static func -= (a: inout Self, b: Self) { a = a - b }
        /// Multiplies.
        public static func *= (a: inout Self, b: Self) { a = a * b }

        /// So many seconds.
        public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }
        /// So many seconds.
        public static func seconds(_ s: Double) -> Self { Self(s) }
        /// So many thousandths of a second.
        public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1_000) }
        /// So many millionths of a second.
        public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1_000_000) }
        /// So many nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1_000_000_000) }
    }
}
