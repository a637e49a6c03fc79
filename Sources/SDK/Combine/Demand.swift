extension Subscribers {
    /// How many values are wanted. It is never negative: what would be is `none`, and does not trap as on iOS.
    public struct Demand: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
        private var count: Int
        private init(count: Int) { self.count = count }

        /// All values.
        public static let unlimited = Demand(count: .max)
        /// No more.
        public static let none = Demand(count: 0)
        /// This many.
        public static func max(_ value: Int) -> Demand { Demand(count: Swift.max(0, value)) }
        /// The number; nil when it is unlimited.
        public var max: Int? { count == .max ? nil : count }
        /// The number, in words.
        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

        /// Both together.
        public static func + (a: Demand, b: Demand) -> Demand {
            let (sum, overflow) = a.count.addingReportingOverflow(b.count)
            return Demand(count: overflow ? .max : sum)
        }
        /// Adds.
        public static func += (a: inout Demand, b: Demand) { a = a + b }
        /// More by a number.
        public static func + (a: Demand, b: Int) -> Demand { b < 0 ? a - .max(-b) : a + .max(b) }
        /// Adds a number.
        public static func += (a: inout Demand, b: Int) { a = a + b }
        /// What is left of an unlimited one is unlimited.
        public static func - (a: Demand, b: Demand) -> Demand {
            a == .unlimited ? a : Demand(count: Swift.max(0, a.count - b.count))
        }
        /// Takes away.
        public static func -= (a: inout Demand, b: Demand) { a = a - b }
        /// Less by a number.
        public static func - (a: Demand, b: Int) -> Demand { b < 0 ? a + .max(-b) : a - .max(b) }
        /// Takes a number away.
        public static func -= (a: inout Demand, b: Int) { a = a - b }
        /// So many times.
        public static func * (a: Demand, b: Int) -> Demand {
            guard a != .unlimited else { return b > 0 ? a : .none }
            let (product, overflow) = a.count.multipliedReportingOverflow(by: Swift.max(0, b))
            return Demand(count: overflow ? .max : product)
        }
        /// Multiplies.
        public static func *= (a: inout Demand, b: Int) { a = a * b }

        /// Whether it is the smaller one.
        public static func < (a: Demand, b: Demand) -> Bool { a.count < b.count }
        /// Whether it is more than a number.
        public static func > (a: Demand, b: Int) -> Bool { a == .unlimited || a.count > b }
        /// Whether it is that number or more.
        public static func >= (a: Demand, b: Int) -> Bool { a == .unlimited || a.count >= b }
        /// Whether it is less than a number.
        public static func < (a: Demand, b: Int) -> Bool { a != .unlimited && a.count < b }
        /// Whether it is that number or less.
        public static func <= (a: Demand, b: Int) -> Bool { a != .unlimited && a.count <= b }
        /// Whether it is that number.
        public static func == (a: Demand, b: Int) -> Bool { a != .unlimited && a.count == b }
        /// Whether it is not that number.
        public static func != (a: Demand, b: Int) -> Bool { !(a == b) }

        /// One of them; false when there is none.
        mutating func take() -> Bool {
            guard count > 0 else { return false }
            if count != .max { count -= 1 }
            return true
        }
    }
}
