import Glibc
import TaskModel
import Testing
import Worker

/// One function, its arguments, and the expected result.
struct ForeignCase: Sendable, CustomTestStringConvertible {
    var symbol: String
    var library: String
    var signature: Signature
    var arguments: [Argument]
    var payload = ""
    var expected: ResultValue?
    var rule = SuccessRule.always
    var success = true

    init(
        _ symbol: String, in library: String = "libc.so.6", _ result: ValueType, _ parameters: [ValueType],
        _ arguments: [Argument], payload: String = "", gives expected: ResultValue?, rule: SuccessRule = .always,
        success: Bool = true
    ) {
        self.symbol = symbol
        self.library = library
        signature = Signature(result: result, parameters: parameters)
        self.arguments = arguments
        self.payload = payload
        self.expected = expected
        self.rule = rule
        self.success = success
    }

    var testDescription: String { "\(symbol)(\(arguments)) gives \(String(describing: expected))" }

    func prepare() throws -> ForeignCall {
        let address = try #require(ForeignFixture.symbol(symbol, in: library), "\(symbol) of \(library) is missing")
        return try ForeignCall(
            ForeignFunction(
                library: library, symbol: symbol, signature: signature, arguments: arguments, success: rule),
            address: address, variables: [("$STATE", "/var/state"), ("$CACHE", "/var/cache")])
    }
}

@Suite struct ForeignCallTests {
    private static let own = ForeignFixture.library

    @Test(
        "A text that a function returns is copied, if it is one and not too long",
        arguments: [
            ("Bearer abc", "Bearer abc"), ("", nil), (String(repeating: "a", count: TransferLimit.headers + 1), nil),
        ])
    func text(_ payload: String, _ expected: String?) throws {
        let call = try ForeignCase(
            "echo_pointer", in: Self.own, .string, [.string], [.payloadString], payload: payload, gives: nil
        ).prepare()
        #expect(call.givesText)
        #expect(try call.call(RunDouble(payload: payload)).text == expected)
        let none = try ForeignCase("echo_pointer", in: Self.own, .string, [.string], [.null], gives: nil).prepare()
        let result = try none.call(RunDouble(payload: payload))
        #expect(result.text == nil && result.value == .pointer(isNull: true))
    }

    static let systemCases = [
        ForeignCase(
            "crc32", in: "libz.so.1", .u64, [.u64, .bytes, .u32], [.integer(0), .payloadBytes, .payloadLength],
            payload: "123456789", gives: .unsigned(3_421_780_262),
            rule: .compare(.equal, .integer(3_421_780_262))),
        ForeignCase(
            "crc32", in: "libz.so.1", .u64, [.u64, .bytes, .u32], [.integer(0), .payloadBytes, .payloadLength],
            payload: "123456780", gives: .unsigned(2988999042),
            rule: .compare(.equal, .integer(3_421_780_262)), success: false),
        ForeignCase("strlen", .u64, [.string], [.payloadString], payload: "seven ä", gives: .unsigned(8)),
        ForeignCase("strlen", .u64, [.string], [.payloadString], gives: .unsigned(0)),
        ForeignCase("strlen", .u64, [.string], [.string("$STATE/x")], gives: .unsigned(12)),
        ForeignCase("strlen", .u64, [.string], [.string("$STATE")], gives: .unsigned(10)),
        ForeignCase("strlen", .u64, [.string], [.string("$STATES")], gives: .unsigned(7)),
        ForeignCase("strlen", .u64, [.string], [.string("a $STATE")], gives: .unsigned(8)),
        ForeignCase("strlen", .u64, [.string], [.string("$CACHE/ä")], gives: .unsigned(13)),
        ForeignCase("labs", .i64, [.i64], [.integer(-5_000_000_000)], gives: .integer(5_000_000_000)),
        ForeignCase("toupper", .i32, [.i32], [.integer(97)], gives: .integer(65)),
        ForeignCase("pow", in: "libm.so.6", .f64, [.f64, .f64], [.real(2), .integer(10)], gives: .real(1024)),
        ForeignCase("ldexp", in: "libm.so.6", .f64, [.f64, .i32], [.real(0.75), .integer(-2)], gives: .real(0.1875)),
        ForeignCase("strtof", .f32, [.string, .pointer], [.string("0.1"), .null], gives: .real(Double(Float(0.1)))),
        ForeignCase("getenv", .string, [.string], [.string("TASKHOST_NO_SUCH")], gives: .pointer(isNull: true)),
        ForeignCase(
            "strchr", .pointer, [.string, .i32], [.string("abc"), .integer(98)], gives: .pointer(isNull: false)),
        ForeignCase(
            "strtoull", .u64, [.string, .pointer, .i32], [.payloadString, .null, .integer(16)],
            payload: "ffffffffffffffff", gives: .unsigned(.max)),
    ]

    @Test("Functions of system libraries get their arguments and give their results", arguments: systemCases)
    func systemLibraries(_ example: ForeignCase) throws { try check(example) }

    static let widthCases: [ForeignCase] = [
        ForeignCase("echo_i8", in: own, .i8, [.i8], [.integer(-128)], gives: .integer(-128)),
        ForeignCase("echo_i8", in: own, .i8, [.i8], [.integer(127)], gives: .integer(127)),
        ForeignCase("echo_u8", in: own, .u8, [.u8], [.integer(255)], gives: .unsigned(255)),
        ForeignCase("echo_i16", in: own, .i16, [.i16], [.integer(-32768)], gives: .integer(-32768)),
        ForeignCase("echo_u16", in: own, .u16, [.u16], [.integer(65535)], gives: .unsigned(65535)),
        ForeignCase("echo_i32", in: own, .i32, [.i32], [.integer(-1)], gives: .integer(-1)),
        ForeignCase("echo_u32", in: own, .u32, [.u32], [.integer(4_294_967_295)], gives: .unsigned(4_294_967_295)),
        ForeignCase("echo_i64", in: own, .i64, [.i64], [.integer(.min)], gives: .integer(.min)),
        ForeignCase("echo_u64", in: own, .u64, [.u64], [.unsigned(.max)], gives: .unsigned(.max)),
        ForeignCase("echo_f32", in: own, .f32, [.f32], [.real(-1.5)], gives: .real(-1.5)),
        ForeignCase("echo_f64", in: own, .f64, [.f64], [.real(1e300)], gives: .real(1e300)),
        ForeignCase("echo_bool", in: own, .bool, [.bool], [.boolean(true)], gives: .boolean(true)),
        ForeignCase("echo_bool", in: own, .bool, [.bool], [.boolean(false)], gives: .boolean(false)),
        ForeignCase("echo_pointer", in: own, .pointer, [.pointer], [.null], gives: .pointer(isNull: true)),
        ForeignCase("echo_pointer", in: own, .pointer, [.pointer], [.integer(-1)], gives: .pointer(isNull: false)),
        ForeignCase("echo_pointer", in: own, .bytes, [.bytes], [.payloadBytes], gives: .pointer(isNull: false)),
        ForeignCase(
            "same_text", in: own, .bool, [.string, .string], [.payloadString, .string("$STATE/a")],
            payload: "/var/state/a", gives: .boolean(true)),
        ForeignCase(
            "weigh", in: own, .f64, [.i8, .u16, .f32, .i64, .f64, .bool, .u8, .i32, .f32, .i16],
            [
                .integer(-1), .integer(2), .real(0.5), .integer(-3), .real(0.25), .boolean(true), .integer(4),
                .integer(-5), .real(1.5), .integer(-6),
            ], gives: .real(-1 + 4 + 1.5 - 12 + 1.25 + 6 + 28 - 40 + 13.5 - 60)),
    ]

    @Test("Every type survives the way there and back at its extremes", arguments: widthCases)
    func everyWidth(_ example: ForeignCase) throws { try check(example) }

    private func check(_ example: ForeignCase) throws {
        let call = try example.prepare()
        let result = try call.call(RunDouble(payload: example.payload))
        #expect(result.value == example.expected)
        #expect(result.success == example.success)
        #expect(result.callbacks == nil)
        #expect(!call.completesByCallback)
    }

    @Test("A void function is called and succeeds without a value")
    func voidFunction() throws {
        let call = try ForeignCase("nothing", in: Self.own, .void, [], [], gives: nil).prepare()
        let count = try ForeignCase("count_nothings", in: Self.own, .i32, [], [], gives: nil).prepare()
        let result = try call.call(RunDouble())
        #expect(result.value == nil)
        #expect(result.success)
        #expect(try count.call(RunDouble()).value == .integer(1))
    }

    @Test("One prepared call serves many threads at once")
    func manyThreads() async throws {
        let call = try ForeignCase(
            "strtoull", .u64, [.string, .pointer, .i32], [.payloadString, .null, .integer(10)], gives: nil
        ).prepare()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let run = RunDouble(payload: String(number))
                    return try (0..<2000).allSatisfy { _ in
                        try call.call(run).value == .unsigned(UInt64(number))
                    }
                }
            }
            for try await right in group { #expect(right) }
        }
    }

    @Test("A payload longer than its length parameter can express is refused, not cut", arguments: [127, 128])
    func lengthBeyondType(_ length: Int) throws {
        let call = try ForeignCase("echo_i8", in: Self.own, .i8, [.i8], [.payloadLength], gives: nil).prepare()
        let run = RunDouble(payload: String(repeating: "x", count: length))
        if length <= 127 {
            #expect(try call.call(run).value == .integer(127))
        } else {
            #expect(throws: ForeignCallError.payloadLength(128, type: .i8)) { try call.call(run) }
        }
    }

    struct BadCase: Sendable, CustomTestStringConvertible {
        var parameters: [ValueType] = []
        var arguments: [Argument] = []
        var result = ValueType.i32
        var rule = SuccessRule.always
        var error: ForeignCallError
        var testDescription: String { "\(result.name)(\(parameters)) with \(arguments): \(error)" }
    }
    static let badCases = [
        BadCase(parameters: [.i32], error: .argumentCount(found: 0, expected: 1)),
        BadCase(parameters: [.u8], arguments: [.integer(256)], error: .argument(index: 0, type: .u8)),
        BadCase(parameters: [.i8], arguments: [.integer(128)], error: .argument(index: 0, type: .i8)),
        BadCase(parameters: [.u64], arguments: [.integer(-1)], error: .argument(index: 0, type: .u64)),
        BadCase(parameters: [.i64], arguments: [.unsigned(.max)], error: .argument(index: 0, type: .i64)),
        BadCase(parameters: [.i32], arguments: [.real(1)], error: .argument(index: 0, type: .i32)),
        BadCase(parameters: [.bool], arguments: [.integer(2)], error: .argument(index: 0, type: .bool)),
        BadCase(parameters: [.i32], arguments: [.string("1")], error: .argument(index: 0, type: .i32)),
        BadCase(parameters: [.i32], arguments: [.null], error: .argument(index: 0, type: .i32)),
        BadCase(parameters: [.string], arguments: [.string("a\0b")], error: .argument(index: 0, type: .string)),
        BadCase(parameters: [.string], arguments: [.payloadBytes], error: .argument(index: 0, type: .string)),
        BadCase(parameters: [.f64], arguments: [.payloadLength], error: .argument(index: 0, type: .f64)),
        BadCase(
            parameters: [.string, .callback], arguments: [.null, .integer(0)],
            error: .argument(index: 1, type: .callback)),
        BadCase(parameters: [.void], arguments: [.integer(0)], error: .signature),
        BadCase(
            parameters: [.callback], arguments: [.callback(.complete, Signature(result: .void, parameters: []))],
            error: .callback(index: 0)),
        BadCase(
            parameters: [.callback], arguments: [.callback(.complete, Signature(result: .void, parameters: [.f64]))],
            error: .callback(index: 0)),
        BadCase(
            parameters: [.callback], arguments: [.callback(.shouldStop, Signature(result: .void, parameters: []))],
            error: .callback(index: 0)),
        BadCase(result: .i32, rule: .compare(.equal, .null), error: .successRule(result: .i32)),
        BadCase(result: .pointer, rule: .compare(.less, .null), error: .successRule(result: .pointer)),
        BadCase(result: .void, rule: .compare(.equal, .integer(0)), error: .successRule(result: .void)),
        BadCase(result: .f64, rule: .compare(.equal, .real(.nan)), error: .successRule(result: .f64)),
    ]

    @Test("A mismatch is refused when the call is prepared", arguments: badCases)
    func refusals(_ example: BadCase) throws {
        let address = try #require(ForeignFixture.symbol("getpid", in: "libc.so.6"))
        #expect(throws: example.error) {
            try ForeignCall(
                ForeignFunction(
                    library: nil, symbol: "getpid",
                    signature: Signature(result: example.result, parameters: example.parameters),
                    arguments: example.arguments, success: example.rule), address: address, variables: [])
        }
        #expect(!example.error.sentence.isEmpty)
    }
}
