import TaskHostFoundation

extension DispatchQueue {
    /// Points in the time of queues, which does not pass while the machine sleeps.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The time.
        public var dispatchTime: DispatchTime
        /// - Parameter time: the time.
        public init(_ time: DispatchTime) { dispatchTime = time }

        /// Reads nanoseconds.
        public init(from decoder: any Decoder) throws {
            self.init(DispatchTime(uptimeNanoseconds: try decoder.singleValueContainer().decode(UInt64.self)))
        }
        /// Writes nanoseconds.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(dispatchTime.uptimeNanoseconds)
        }

        /// The time from here to another.
        public func distance(to other: SchedulerTimeType) -> Stride {
            let (to, from) = (other.dispatchTime.uptimeNanoseconds, dispatchTime.uptimeNanoseconds)
            return to >= from
                ? .nanoseconds(Int(clamping: to - from)) : .nanoseconds(-Int(clamping: from - to))
        }
        /// The time so much later.
        public func advanced(by n: Stride) -> SchedulerTimeType {
            SchedulerTimeType(dispatchTime + n.timeInterval)
        }
        /// By the time.
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    }
}

extension DispatchQueue.SchedulerTimeType {
    /// A length of time in whole nanoseconds; what is too large is the largest one.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
        Hashable, Codable, Sendable
    {
        /// Nanoseconds. Unlike other magnitudes it may be negative.
        public var magnitude: Int
        /// The same for Dispatch.
        public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

        init(nanoseconds: Int) { magnitude = nanoseconds }
        init(_ value: Double, per second: Double) {
            magnitude = Int(exactly: (value * second).rounded()) ?? (value < 0 ? .min : .max)
        }
        init(_ value: Int, nanoseconds: Int) {
            let (product, overflow) = value.multipliedReportingOverflow(by: nanoseconds)
            magnitude = overflow ? (value < 0 ? .min : .max) : product
        }

        /// - Parameter timeInterval: the same for Dispatch.
        public init(_ timeInterval: DispatchTimeInterval) {
            switch timeInterval {
            case .seconds(let s): self = .seconds(s)
            case .milliseconds(let ms): self = .milliseconds(ms)
            case .microseconds(let us): self = .microseconds(us)
            case .nanoseconds(let ns): self = .nanoseconds(ns)
            case .never: magnitude = .max
            }
        }
        /// - Parameter value: seconds.
        public init(floatLiteral value: Double) { self = .seconds(value) }
        /// - Parameter value: seconds.
        public init(integerLiteral value: Int) { self = .seconds(value) }
        /// - Parameter source: nanoseconds; nil if they are too many.
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let value = Int(exactly: source) else { return nil }
            magnitude = value
        }

        /// Whether it is the smaller one.
        public static func < (a: Self, b: Self) -> Bool { a.magnitude < b.magnitude }
        /// Both together.
        public static func + (a: Self, b: Self) -> Self {
            let (sum, overflow) = a.magnitude.addingReportingOverflow(b.magnitude)
            return Self(nanoseconds: overflow ? (b.magnitude < 0 ? .min : .max) : sum)
        }
        /// One without the other.
        public static func - (a: Self, b: Self) -> Self {
            let (rest, overflow) = a.magnitude.subtractingReportingOverflow(b.magnitude)
            return Self(nanoseconds: overflow ? (b.magnitude < 0 ? .max : .min) : rest)
        }
        /// Their product, in nanoseconds.
        public static func * (a: Self, b: Self) -> Self { Self(a.magnitude, nanoseconds: b.magnitude) }
        /// Adds.
        public static func += (a: inout Self, b: Self) { a = a + b }
        /// Takes away.
        public static func -= (a: inout Self, b: Self) { a = a - b }
        /// Multiplies.
        public static func *= (a: inout Self, b: Self) { a = a * b }

        /// So many seconds.
        public static func seconds(_ s: Int) -> Self { Self(s, nanoseconds: 1_000_000_000) }
        /// So many seconds.
        public static func seconds(_ s: Double) -> Self { Self(s, per: 1_000_000_000) }
        /// So many thousandths of a second.
        public static func milliseconds(_ ms: Int) -> Self { Self(ms, nanoseconds: 1_000_000) }
        /// So many millionths of a second.
        public static func microseconds(_ us: Int) -> Self { Self(us, nanoseconds: 1_000) }
        /// So many nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }
    }
}
