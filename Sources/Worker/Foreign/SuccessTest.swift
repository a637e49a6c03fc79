import TaskModel

/// A success rule that was found to fit the type of the result.
struct SuccessTest: Sendable {
    private let rule: SuccessRule

    init(_ rule: SuccessRule, result: ValueType) throws(ForeignCallError) {
        guard case .compare(let comparison, let operand) = rule else {
            self.rule = rule
            return
        }
        let isEquality = comparison == .equal || comparison == .notEqual
        let fits =
            switch operand {
            case .null: result.isPointer && isEquality
            case .integer(let value): result.isNumber || (result.isPointer && isEquality && value == 0)
            case .unsigned: result.isNumber
            case .real(let value): result.isNumber && !value.isNaN
            }
        guard fits else { throw .successRule(result: result) }
        if result == .f32, case .real(let value) = operand {
            // As if the rule had 0.1f: the double 0.1 cannot be the value of a float.
            self.rule = .compare(comparison, .real(Double(Float(value))))
        } else {
            self.rule = rule
        }
    }

    /// - Parameter value: nil for void.
    func holds(for value: ResultValue?) -> Bool {
        guard case .compare(let comparison, let operand) = rule else { return true }
        return comparison.holds(Self.order(value, operand))
    }

    fileprivate enum Order {
        case less
        case equal
        case greater
        /// NaN, a pointer that is not null, or nothing to compare.
        case none

        init<T: Comparable>(_ left: T, _ right: T) {
            self = left < right ? .less : left > right ? .greater : left == right ? .equal : .none
        }

        var reversed: Order {
            switch self {
            case .less: .greater
            case .greater: .less
            case .equal, .none: self
            }
        }
    }

    private static func order(_ value: ResultValue?, _ operand: SuccessOperand) -> Order {
        switch value {
        // A fetch is not a function's result.
        case nil, .fetch: .none
        case .pointer(let isNull): isNull ? .equal : .none
        case .integer(let value): order(Int128(value), operand)
        case .unsigned(let value): order(Int128(value), operand)
        case .boolean(let value): order(value ? 1 : 0, operand)
        case .real(let value):
            switch operand {
            case .real(let other): Order(value, other)
            case .integer(let other): order(Int128(other), value).reversed
            case .unsigned(let other): order(Int128(other), value).reversed
            case .null: .none
            }
        }
    }

    private static func order(_ value: Int128, _ operand: SuccessOperand) -> Order {
        switch operand {
        case .integer(let other): Order(value, Int128(other))
        case .unsigned(let other): Order(value, Int128(other))
        case .real(let other): order(value, other)
        case .null: .none
        }
    }

    /// Exact: a conversion of the integer to Double would round it beyond 2⁵³.
    private static func order(_ integer: Int128, _ real: Double) -> Order {
        if real.isNaN { return .none }
        if real >= 0x1p64 { return .less }
        if real < -0x1p63 { return .greater }
        let whole = real.rounded(.down)
        let order = Order(integer, Int128(whole))
        return order == .equal && real > whole ? .less : order
    }
}

extension Comparison {
    fileprivate func holds(_ order: SuccessTest.Order) -> Bool {
        switch self {
        case .equal: order == .equal
        case .notEqual: order != .equal
        case .less: order == .less
        case .lessOrEqual: order == .less || order == .equal
        case .greater: order == .greater
        case .greaterOrEqual: order == .greater || order == .equal
        }
    }
}

extension ValueType {
    fileprivate var isNumber: Bool { isInteger || isReal || self == .bool }
}
