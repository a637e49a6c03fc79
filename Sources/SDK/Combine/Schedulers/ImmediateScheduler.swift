/// Runs closures at once, on the thread that asks, whatever the time that they are for.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// There are no options.
    public struct SchedulerOptions: Sendable {}

    /// The only point in its time.
    public struct SchedulerTimeType: Strideable, Sendable {
        /// A length of time, without a unit.
        public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
            Codable, Sendable
        {
            /// Its amount.
            public var magnitude: Int
            /// - Parameter value: its amount.
            public init(_ value: Int) { magnitude = value }
            /// - Parameter value: its amount.
            public init(integerLiteral value: Int) { magnitude = value }
            /// - Parameter value: its amount, without the fraction.
            public init(floatLiteral value: Double) { magnitude = Int(value) }
            /// - Parameter source: its amount; nil if it is too large.
            public init?<T: BinaryInteger>(exactly source: T) {
                guard let value = Int(exactly: source) else { return nil }
                magnitude = value
            }
            /// Whether it is the smaller one.
            public static func < (a: Stride, b: Stride) -> Bool { a.magnitude < b.magnitude }
            /// Both together.
            public static func + (a: Stride, b: Stride) -> Stride { Stride(a.magnitude + b.magnitude) }
            /// One without the other.
            public static func - (a: Stride, b: Stride) -> Stride { Stride(a.magnitude - b.magnitude) }
            /// Their product.
            public static func * (a: Stride, b: Stride) -> Stride { Stride(a.magnitude * b.magnitude) }
            /// Adds.
            public static func += (a: inout Stride, b: Stride) { a = a + b }
            /// Takes away.
            public static func -= (a: inout Stride, b: Stride) { a = a - b }
            /// Multiplies.
            public static func *= (a: inout Stride, b: Stride) { a = a * b }
            /// Nothing: no time passes.
            public static func seconds(_ s: Int) -> Stride { 0 }
            /// Nothing: no time passes.
            public static func seconds(_ s: Double) -> Stride { 0 }
            /// Nothing: no time passes.
            public static func milliseconds(_ ms: Int) -> Stride { 0 }
            /// Nothing: no time passes.
            public static func microseconds(_ us: Int) -> Stride { 0 }
            /// Nothing: no time passes.
            public static func nanoseconds(_ ns: Int) -> Stride { 0 }
        }
        /// Nothing.
        public func distance(to other: SchedulerTimeType) -> Stride { 0 }
        /// The same.
        public func advanced(by n: Stride) -> SchedulerTimeType { self }
    }

    /// The only one.
    public static let shared = ImmediateScheduler()
    /// The only point in its time.
    public var now: SchedulerTimeType { SchedulerTimeType() }
    /// Nothing.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs the closure.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

    /// Runs the closure.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) { action() }

    /// Runs the closure, once.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return AnyCancellable {}
    }
}
