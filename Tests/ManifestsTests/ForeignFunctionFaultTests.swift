import Testing

@Suite struct ForeignFunctionFaultTests {
    static let cases = FaultCase.parse(
        #"""
        T "kind": "appRefresh", "handler": {}
        = §.handler.symbol: found nothing; expected an exported C function's name; add "symbol"
        = §.handler.signature: found nothing; expected a signature such as "u64(u64, bytes, u32)"; add "signature"
        T "kind": "appRefresh", "handler": {"symbol": "f", "signature": "i32()", "args": []}
        = §.handler.args: found the unknown key "args"; expected one of library, symbol, signature, arguments, success
        T "kind": "appRefresh", "handler": {"symbol": "f-g", "signature": "i32(void)", "library": 1}
        = §.handler.symbol: found "f-g"; expected an exported C function's name; it holds letters, digits and underscores, and begins with no digit
        = §.handler.signature: found "void" at character 5 of "i32(void)"; expected a parameter's type; write "()" for a function without parameters
        = §.handler.library: found the number 1; expected a library's path or soname
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i32, i32)", "arguments": [1]}
        = §.handler.arguments: found 1 argument; expected 2 arguments for i32(i32, i32)
        T "kind": "appRefresh", "handler": {"symbol": "f", "signature": "i32(i32)"}
        = §.handler: found no "arguments"; expected 1 argument for i32(i32)
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32()", "arguments": [1, 2]}
        = §.handler.arguments: found 2 arguments; expected 0 arguments for i32()
        T "kind": "appRefresh", "handler": {"symbol": "f", "signature": "i32()", "arguments": {}}
        = §.handler.arguments: found an empty object; expected an array of arguments
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "f64()", "arguments": []}
        = §.handler.success: found nothing; expected a rule such as "result == 0", or "always"; a result of type f64 has no rule of its own
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32()", "arguments": [], "success": "result = 0"}
        = §.handler.success: found "=" at character 8 of "result = 0"; expected one of == != < <= > >=; write "=="
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "void()", "arguments": [], "success": "result == 0"}
        = §.handler.success: found a comparison of a void result at character 1 of "result == 0"; expected "always"; a void function has no result
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "u8()", "arguments": [], "success": "result == 256"}
        = §.handler.success: found "256" at character 11 of "result == 256"; expected a whole number to compare the u8 with; a u8 never holds this number
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32()", "arguments": [], "success": ""}
        = §.handler.success: found an empty string; expected a rule such as "result == 0", or "always"
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32()", "arguments": [], "success": 0}
        = §.handler.success: found the number 0; expected a rule such as "result == 0", or "always"
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i8)", "arguments": [128]}
        = §.handler.arguments[0]: found the number 128; expected a whole number from -128 to 127 or {"payload": "length"} for the parameter of type i8
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(u8)", "arguments": [-1]}
        = §.handler.arguments[0]: found the number -1; expected a whole number from 0 to 255 or {"payload": "length"} for the parameter of type u8
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i32)", "arguments": [1.5]}
        = §.handler.arguments[0]: found the number 1.5; expected a whole number from -2147483648 to 2147483647 or {"payload": "length"} for the parameter of type i32
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i32)", "arguments": [true]}
        = §.handler.arguments[0]: found true; expected a whole number from -2147483648 to 2147483647 or {"payload": "length"} for the parameter of type i32
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(bool)", "arguments": [1]}
        = §.handler.arguments[0]: found the number 1; expected true or false for the parameter of type bool
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(f64)", "arguments": ["1"]}
        = §.handler.arguments[0]: found "1"; expected a number for the parameter of type f64
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(f32)", "arguments": [1e39]}
        = §.handler.arguments[0]: found the number 1e+39; expected a number for the parameter of type f32
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(string)", "arguments": [7]}
        = §.handler.arguments[0]: found the number 7; expected a string, null or {"payload": "string"} for the parameter of type string
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(string)", "arguments": ["a\u0000b"]}
        = §.handler.arguments[0]: found "a\u0000b"; expected a string without NUL characters; C would take the first one for the string's end
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(pointer)", "arguments": ["a"]}
        = §.handler.arguments[0]: found "a"; expected null, {"payload": "bytes" or "string"} or {"callback": …} for the parameter of type pointer
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i64)", "arguments": [9223372036854775808]}
        = §.handler.arguments[0]: found the number 9223372036854775808; expected a whole number from -9223372036854775808 to 9223372036854775807 or {"payload": "length"} for the parameter of type i64
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(u64)", "arguments": [18446744073709551616]}
        = §.handler.arguments[0]: found the number 1.8446744073709552e+19; expected a whole number from 0 to 18446744073709551615 or {"payload": "length"} for the parameter of type u64
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(callback)", "arguments": [0]}
        = §.handler.arguments[0]: found the number 0; expected null or {"callback": …} for the parameter of type callback
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i32)", "arguments": [null]}
        = §.handler.arguments[0]: found null; expected a whole number from -2147483648 to 2147483647 or {"payload": "length"} for the parameter of type i32
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i32)", "arguments": [[]]}
        = §.handler.arguments[0]: found an empty array; expected a whole number from -2147483648 to 2147483647 or {"payload": "length"} for the parameter of type i32
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(pointer)", "arguments": [{}]}
        = §.handler.arguments[0]: found an empty object; expected an object with "payload" or "callback"
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(pointer)", "arguments": [{"paylod": "bytes"}]}
        = §.handler.arguments[0]: found an object; expected an object with "payload" or "callback"; did you mean "payload"?
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(bytes)", "arguments": [{"payload": "byte"}]}
        = §.handler.arguments[0].payload: found "byte"; expected one of "bytes", "string", "length"; did you mean "bytes"?
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(bytes)", "arguments": [{"payload": "string"}]}
        = §.handler.arguments[0].payload: found "string"; expected a string, null or {"payload": "bytes"} for the parameter of type bytes
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(string)", "arguments": [{"payload": "bytes"}]}
        = §.handler.arguments[0].payload: found "bytes"; expected a string, null or {"payload": "string"} for the parameter of type string
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(pointer)", "arguments": [{"payload": "length"}]}
        = §.handler.arguments[0].payload: found "length"; expected null, {"payload": "bytes" or "string"} or {"callback": …} for the parameter of type pointer
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i32)", "arguments": [{"payload": "bytes"}]}
        = §.handler.arguments[0].payload: found "bytes"; expected a whole number from -2147483648 to 2147483647 or {"payload": "length"} for the parameter of type i32
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(pointer)", "arguments": [{"payload": "bytes", "signature": "i32()"}]}
        = §.handler.arguments[0].signature: found the unknown key "signature"; expected only "payload"
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(i32)", "arguments": [{"callback": "shouldStop"}]}
        = §.handler.arguments[0].callback: found "shouldStop"; expected a whole number from -2147483648 to 2147483647 or {"payload": "length"} for the parameter of type i32
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(callback)", "arguments": [{"callback": "stop"}]}
        = §.handler.arguments[0].callback: found "stop"; expected one of "shouldStop", "complete", "timeRemaining"
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(callback)", "arguments": [{"callback": "shouldStop", "signature": "void()"}]}
        = §.handler.arguments[0].signature: found "void()"; expected an integer or bool as result of shouldStop
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(callback)", "arguments": [{"callback": "complete", "signature": "void()"}]}
        = §.handler.arguments[0].signature: found "void()"; expected an integer as the first parameter of complete, such as "void(i32)"
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(callback)", "arguments": [{"callback": "complete", "signature": "f64(i32)"}]}
        = §.handler.arguments[0].signature: found "f64(i32)"; expected void or an integer as result of complete
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(callback)", "arguments": [{"callback": "timeRemaining", "signature": "i32()"}]}
        = §.handler.arguments[0].signature: found "i32()"; expected f64 as result of timeRemaining
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(callback)", "arguments": [{"callback": "shouldStop", "signature": "i32(callback)"}]}
        = §.handler.arguments[0].signature: found "i32(callback)"; expected "pointer" for a function pointer within a callback
        T "kind": "appRefresh", "handler": {"library": "libz.so.1", "symbol": "f", "signature": "i32(callback)", "arguments": [{"callback": "shouldStop", "signature": "int()"}]}
        = §.handler.arguments[0].signature: found "int" at character 1 of "int()"; expected the result's type: one of void, bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, pointer; write "i32"
        """#)

    @Test func everyCaseOfTheTableIsRead() { #expect(Self.cases.count == 44) }

    @Test("A fault of foreign functions is reported in these words", arguments: cases)
    func faultIsTold(_ fault: FaultCase) {
        #expect(ManifestText.messages(fault.manifest) == fault.messages)
    }
}
