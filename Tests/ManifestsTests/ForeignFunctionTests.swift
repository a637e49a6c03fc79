import Manifests
import TaskModel
import Testing

@Suite struct ForeignFunctionTests {
    private static func function(_ signature: String, _ arguments: String, _ more: String = "") -> ForeignFunction? {
        let task = ManifestText.task(
            #""kind": "processing", "handler": {"symbol": "f", "signature": "\#(signature)", "arguments": [\#(arguments)]\#(more)}"#
        )
        guard case .foreign(let function) = task?.handler else { return nil }
        return function
    }

    @Test(
        "An argument suits its parameter",
        arguments: [
            ("i8", "-128", .integer(-128)), ("u8", "255", .integer(255)), ("i16", "32767", .integer(32767)),
            ("u32", "4294967295", .integer(4_294_967_295)), ("i64", "-9223372036854775808", .integer(.min)),
            ("u64", "18446744073709551615", .unsigned(.max)), ("bool", "true", .boolean(true)), ("f64", "1", .real(1)),
            ("f64", "18446744073709551615", .real(0x1p64)), ("f32", "0.5", .real(0.5)),
            ("string", #""x""#, .string("x")),
            ("string", "null", .null), ("bytes", #""a\u0000b""#, .string("a\0b")), ("pointer", "null", .null),
            ("bytes", "null", .null), ("callback", "null", .null),
            ("bytes", #"{"payload": "bytes"}"#, .payloadBytes), ("pointer", #"{"payload": "bytes"}"#, .payloadBytes),
            ("string", #"{"payload": "string"}"#, .payloadString),
            ("pointer", #"{"payload": "string"}"#, .payloadString),
            ("u16", #"{"payload": "length"}"#, .payloadLength),
            (
                "callback", #"{"callback": "shouldStop"}"#,
                .callback(.shouldStop, Signature(result: .i32, parameters: []))
            ),
            (
                "pointer", #"{"callback": "complete"}"#,
                .callback(.complete, Signature(result: .void, parameters: [.i32]))
            ),
            (
                "callback", #"{"callback": "timeRemaining"}"#,
                .callback(.timeRemaining, Signature(result: .f64, parameters: []))
            ),
            (
                "callback", #"{"callback": "shouldStop", "signature": "i32(string, pointer, i32, pointer)"}"#,
                .callback(.shouldStop, Signature(result: .i32, parameters: [.string, .pointer, .i32, .pointer]))
            ),
            (
                "callback", #"{"callback": "shouldStop", "signature": "bool()"}"#,
                .callback(.shouldStop, Signature(result: .bool, parameters: []))
            ),
            (
                "callback", #"{"callback": "complete", "signature": "i32(u8, pointer)"}"#,
                .callback(.complete, Signature(result: .i32, parameters: [.u8, .pointer]))
            ),
        ] as [(String, String, Argument)])
    func argument(_ type: String, _ text: String, _ argument: Argument) {
        #expect(Self.function("i32(\(type))", text)?.arguments == [argument])
    }

    @Test func successDefaultsByTheResult() {
        #expect(Self.function("bool()", "")?.success == .compare(.notEqual, .integer(0)))
        #expect(Self.function("pointer()", "")?.success == .compare(.notEqual, .null))
        #expect(Self.function("void()", "")?.success == .always)
        #expect(Self.function("f64()", "", #", "success": "result < 1""#)?.success == .compare(.less, .real(1)))
    }

    @Test func aRealResultNeedsNoRuleWhenACallbackCompletes() {
        #expect(Self.function("f64(callback)", #"{"callback": "complete"}"#)?.success == .always)
        #expect(Self.function("f64(callback)", #"{"callback": "shouldStop"}"#) == nil)
    }

    @Test func stringsEndAtTheirLimit() {
        let text = String(repeating: "x", count: 65536)
        #expect(Self.function("i32(string)", "\"\(text)\"")?.arguments == [.string(text)])
        #expect(
            ManifestText.messages(
                ManifestText.with(
                    task:
                        #""kind": "processing", "handler": {"symbol": "f", "signature": "i32(bytes)", "arguments": ["\#(text)x"]}"#
                )) == [
                    #"$.tasks["com.example.a.t"].handler.arguments[0]: found a string of 65537 bytes; expected at most 65536 bytes"#
                ])
    }

    @Test func moreArgumentsThanAnySignatureHasAreRefused() {
        let zeros = repeatElement("0", count: 17).joined(separator: ",")
        #expect(
            ManifestText.messages(
                ManifestText.with(
                    task:
                        #""kind": "processing", "handler": {"symbol": "f", "signature": "i32()", "arguments": [\#(zeros)]}"#
                )) == [#"$.tasks["com.example.a.t"].handler.arguments: found an array of 17; expected at most 16"#])
    }
}
