import TaskModel
import Testing

@testable import Worker

@Suite struct SuccessRuleTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var value: ResultValue?
        var type: ValueType
        var comparison: Comparison
        var operand: SuccessOperand
        var holds: Bool

        init(
            _ value: ResultValue?, _ type: ValueType, _ comparison: Comparison, _ operand: SuccessOperand,
            _ holds: Bool
        ) {
            self.value = value
            self.type = type
            self.comparison = comparison
            self.operand = operand
            self.holds = holds
        }
        var testDescription: String { "\(String(describing: value)) \(comparison.text) \(operand) is \(holds)" }
    }

    static let examples = [
        Example(.integer(0), .i32, .equal, .integer(0), true),
        Example(.integer(-1), .i32, .less, .integer(0), true),
        Example(.integer(-1), .i64, .less, .unsigned(.max), true),
        Example(.integer(.min), .i64, .lessOrEqual, .integer(.min), true),
        Example(.integer(.max), .i64, .greaterOrEqual, .integer(.max), true),
        Example(.integer(.max), .i64, .less, .unsigned(UInt64(Int64.max) + 1), true),
        Example(.unsigned(.max), .u64, .equal, .integer(-1), false),
        Example(.unsigned(.max), .u64, .greater, .integer(-1), true),
        Example(.unsigned(.max), .u64, .equal, .unsigned(.max), true),
        Example(.unsigned(.max), .u64, .less, .real(0x1p64), true),
        Example(.unsigned(.max), .u64, .equal, .real(0x1p64), false),
        Example(.integer(.min), .i64, .equal, .real(-0x1p63), true),
        Example(.integer(.min), .i64, .greater, .real(-0x1p64), true),
        Example(.integer((1 << 53) + 1), .i64, .greater, .real(0x1p53), true),
        Example(.integer((1 << 53) + 1), .i64, .equal, .real(0x1p53), false),
        Example(.integer(0), .i32, .less, .real(0.5), true),
        Example(.integer(0), .i32, .greater, .real(-0.5), true),
        Example(.integer(5), .i32, .less, .real(.infinity), true),
        Example(.integer(5), .i32, .greater, .real(-.infinity), true),
        Example(.integer(1), .i8, .greaterOrEqual, .integer(2), false),
        Example(.unsigned(3), .u8, .notEqual, .integer(3), false),
        Example(.real(0x1p53), .f64, .less, .integer((1 << 53) + 1), true),
        Example(.real(0.1), .f64, .equal, .real(0.1), true),
        Example(.real(Double(Float(0.1))), .f32, .equal, .real(0.1), true),
        Example(.real(Double(Float(0.1))), .f32, .lessOrEqual, .real(0.1), true),
        Example(.real(-0.0), .f64, .equal, .integer(0), true),
        Example(.real(.infinity), .f64, .greater, .unsigned(.max), true),
        Example(.real(.nan), .f64, .equal, .integer(0), false),
        Example(.real(.nan), .f64, .notEqual, .integer(0), true),
        Example(.real(.nan), .f64, .less, .real(1), false),
        Example(.real(.nan), .f64, .greaterOrEqual, .real(1), false),
        Example(.boolean(true), .bool, .equal, .integer(1), true),
        Example(.boolean(false), .bool, .notEqual, .integer(0), false),
        Example(.pointer(isNull: true), .pointer, .equal, .null, true),
        Example(.pointer(isNull: true), .string, .notEqual, .null, false),
        Example(.pointer(isNull: false), .bytes, .notEqual, .null, true),
        Example(.pointer(isNull: false), .pointer, .equal, .integer(0), false),
    ]

    @Test("Success rules compare by value, whatever the types", arguments: examples)
    func comparison(_ example: Example) throws {
        let test = try SuccessTest(.compare(example.comparison, example.operand), result: example.type)
        #expect(test.holds(for: example.value) == example.holds)
    }

    @Test(
        "Without a rule every result is a success", arguments: [nil, ResultValue.integer(-1), .pointer(isNull: true)])
    func always(_ value: ResultValue?) throws {
        #expect(try SuccessTest(.always, result: .i32).holds(for: value))
    }
}
