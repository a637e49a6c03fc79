import Manifests
import TaskModel
import Testing

@Suite struct SuccessParserTests {
    @Test(
        "A rule is read for the type of the result",
        arguments: [
            ("always", .void, .always), (" always ", .i32, .always),
            ("result == 0", .i32, .compare(.equal, .integer(0))), ("result==0", .u8, .compare(.equal, .integer(0))),
            ("result != -1", .i64, .compare(.notEqual, .integer(-1))),
            ("result < 255", .u8, .compare(.less, .integer(255))),
            ("result <= 7", .i8, .compare(.lessOrEqual, .integer(7))),
            ("result > -128", .i8, .compare(.greater, .integer(-128))),
            ("result >= 0xCBF43926", .u32, .compare(.greaterOrEqual, .integer(0xCBF4_3926))),
            ("result == 0xffffffffffffffff", .u64, .compare(.equal, .unsigned(.max))),
            ("result == -0x80", .i8, .compare(.equal, .integer(-128))),
            ("result < 0.5", .f64, .compare(.less, .real(0.5))),
            ("result >= -1e-3", .f32, .compare(.greaterOrEqual, .real(-0.001))),
            ("result == 2", .f64, .compare(.equal, .real(2))),
            ("result == true", .bool, .compare(.notEqual, .integer(0))),
            ("result != true", .bool, .compare(.equal, .integer(0))),
            ("result == 0", .bool, .compare(.equal, .integer(0))),
            ("result != false", .bool, .compare(.notEqual, .integer(0))),
            ("result != null", .pointer, .compare(.notEqual, .null)),
            ("result == null", .pointer, .compare(.equal, .null)),
        ] as [(String, ValueType, SuccessRule)])
    func good(_ text: String, _ type: ValueType, _ rule: SuccessRule) throws {
        #expect(try SuccessParser.parse(text, result: type) == rule)
    }

    @Test(
        "A bad rule is refused with its place",
        arguments: [
            ("", .i32, #"found no "result" at character 1; expected "always" or "result" and a comparison"#),
            (
                "resul == 0", .i32,
                #"found "resul" at character 1; expected "always" or "result" and a comparison; did you mean "result"?"#
            ),
            ("always 1", .i32, #"found "1" at character 8; expected nothing after "always""#),
            ("result", .i32, "found the end at character 7; expected one of == != < <= > >="),
            ("result = 0", .i32, #"found "=" at character 8; expected one of == != < <= > >=; write "==""#),
            ("result ==", .i32, "found nothing at character 10; expected a whole number to compare the i32 with"),
            (
                "result == 0 && true", .i32,
                #"found "&" at character 13; expected nothing after the literal; one comparison is all there is"#
            ),
            ("result == 1.5", .i32, #"found "1.5" at character 11; expected a whole number to compare the i32 with"#),
            ("result == 0x", .i32, #"found "0x" at character 11; expected a whole number to compare the i32 with"#),
            ("result == null", .i32, #"found "null" at character 11; expected a whole number to compare the i32 with"#),
            (
                "result == 256", .u8,
                #"found "256" at character 11; expected a whole number to compare the u8 with; a u8 never holds this number"#
            ),
            (
                "result == -1", .u64,
                #"found "-1" at character 11; expected a whole number to compare the u64 with; a u64 never holds this number"#
            ),
            (
                "result == 18446744073709551616", .u64,
                #"found "18446744073709551616" at character 11; expected a whole number to compare the u64 with"#
            ),
            (
                "result == 0", .void,
                #"found a comparison of a void result at character 1; expected "always"; a void function has no result"#
            ),
            ("result > null", .pointer, #"found ">" at character 8; expected == or != for a pointer"#),
            ("result < true", .bool, #"found "<" at character 8; expected == or != for a bool"#),
            ("result == 0", .pointer, #"found "0" at character 11; expected null to compare the pointer with"#),
            ("result == 2", .bool, #"found "2" at character 11; expected true or false to compare the bool with"#),
            ("result == nan", .f64, #"found "nan" at character 11; expected a number to compare the f64 with"#),
            ("result == 1e999", .f64, #"found "1e999" at character 11; expected a number to compare the f64 with"#),
        ] as [(String, ValueType, String)])
    func bad(_ text: String, _ type: ValueType, _ message: String) {
        let fault = #expect(throws: SyntaxFault.self) { try SuccessParser.parse(text, result: type) }
        #expect(fault?.description == message)
    }

    @Test(
        "Each type has its own default",
        arguments: [
            (.void, .always), (.bool, .compare(.notEqual, .integer(0))), (.i8, .compare(.equal, .integer(0))),
            (.u64, .compare(.equal, .integer(0))), (.pointer, .compare(.notEqual, .null)), (.f32, nil), (.f64, nil),
        ] as [(ValueType, SuccessRule?)])
    func defaults(_ type: ValueType, _ rule: SuccessRule?) {
        #expect(SuccessParser.defaultRule(for: type) == rule)
    }

    @Test func lengthEndsAtItsLimit() {
        #expect(throws: SyntaxFault.self) {
            try SuccessParser.parse("always" + String(repeating: " ", count: 251), result: .void)
        }
    }
}
