import Manifests
import TaskModel
import Testing

@Suite struct SignatureParserTests {
    @Test(
        "A signature is read and written back",
        arguments: [
            ("void()", "void()"), ("u64(u64, bytes, u32)", "u64(u64, bytes, u32)"), (" i32 ( ) ", "i32()"),
            ("pointer(pointer,string,callback)", "pointer(pointer, string, callback)"),
            (
                "bool(bool,i8,u8,i16,u16,i32,u32,i64,u64,f32,f64)",
                "bool(bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64)"
            ),
            ("f32(\tf64 )", "f32(f64)"),
        ])
    func good(_ text: String, _ written: String) throws {
        let signature = try SignatureParser.parse(text)
        #expect(signature.text == written)
        #expect(try SignatureParser.parse(written) == signature)
    }

    @Test(
        "A bad signature is refused with its place",
        arguments: [
            ("", "found the end at character 1; expected the result's type"),
            ("()", #"found "(" at character 1; expected the result's type"#),
            (
                "i32",
                #"found the end at character 4; expected '(' after the result's type; a signature reads "result(parameter, …)""#
            ),
            ("i32(", "found the end at character 5; expected a parameter's type"),
            ("i32(i32", "found the end at character 8; expected ',' or ')' after a parameter"),
            ("i32(i32,)", #"found ")" at character 9; expected a parameter's type"#),
            ("i32(i32 i32)", #"found "i" at character 9; expected ',' or ')' after a parameter"#),
            ("i32(i32) x", #"found "x" at character 10; expected nothing after ')'"#),
            (
                "i32(void)",
                #"found "void" at character 5; expected a parameter's type; write "()" for a function without parameters"#
            ),
            (
                "string()",
                #"found "string" at character 1; expected a result that is no string; use "pointer": who frees the memory cannot be said here"#
            ),
            (
                "bytes()",
                #"found "bytes" at character 1; expected a result that is no bytes; use "pointer": who frees the memory cannot be said here"#
            ),
            (
                "callback()",
                #"found "callback" at character 1; expected a result that is no callback; use "pointer": who frees the memory cannot be said here"#
            ),
            (
                "int()",
                #"found "int" at character 1; expected the result's type: one of void, bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, pointer; write "i32""#
            ),
            (
                "i32(pointr)",
                #"found "pointr" at character 5; expected a parameter's type: one of bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, pointer, string, bytes, callback; did you mean "pointer"?"#
            ),
            (
                "i32(char*)",
                #"found "char" at character 5; expected a parameter's type: one of bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, pointer, string, bytes, callback; write "i8""#
            ),
            ("é()", #"found "é" at character 1; expected the result's type"#),
        ])
    func bad(_ text: String, _ message: String) {
        let fault = #expect(throws: SyntaxFault.self) { try SignatureParser.parse(text) }
        #expect(fault?.description == message)
    }

    @Test func parametersEndAtTheirLimit() throws {
        func text(_ count: Int) -> String { "void(" + repeatElement("i8", count: count).joined(separator: ",") + ")" }
        #expect(try SignatureParser.parse(text(16)).parameters.count == 16)
        let fault = #expect(throws: SyntaxFault.self) { try SignatureParser.parse(text(17)) }
        #expect(fault?.description == "found parameter 17 at character 54; expected at most 16 parameters")
    }

    @Test func lengthEndsAtItsLimit() throws {
        let padding = String(repeating: " ", count: SignatureParser.maximumLength - 6)
        #expect(try SignatureParser.parse("void()" + padding).result == .void)
        #expect(throws: SyntaxFault.self) { try SignatureParser.parse("void()" + padding + " ") }
    }
}
