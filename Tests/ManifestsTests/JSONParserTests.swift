import JSON
import Testing

@Suite struct JSONParserTests {
    @Test(arguments: [
        (
            " { \"a\" : [ 1.50 , -0 ,\n1e3 ] , \"b\\u0041\" : \" \\\" } \" }  ",
            "{\"a\":[1.50,-0,1e3],\"b\\u0041\":\" \\\" } \"}"
        ),
        ("{}", "{}"), (" [ ] ", "[]"), ("12E+3 ", "12E+3"), (" true\n", "true"), (" \"x\\\\\" ", "\"x\\\\\""),
    ])
    func aValueKeepsItsTokensOnOneLine(_ text: String, _ line: String) throws {
        let value = try JSONParser.parse(text, maximumBytes: 1 << 10)
        #expect(String(decoding: value.oneLine(of: Array(text.utf8)), as: UTF8.self) == line)
    }

    @Test func aMemberIsFoundInItsText() throws {
        let text = Array(#"{"x": [1, 2], "y" : {"a": 1.0 , "b":[ ]} , "z": 10 }"#.utf8)
        let value = try JSONParser.parse(text, maximumBytes: 1 << 10)
        let lines = ["x", "y", "z"].map { String(decoding: value[$0]?.oneLine(of: text) ?? [], as: UTF8.self) }
        #expect(lines == ["[1,2]", #"{"a":1.0,"b":[]}"#, "10"])
    }

    static func compact(_ text: String) throws -> String {
        try JSONParser.parse(text, maximumBytes: 1 << 20).compactText
    }

    @Test(
        "A good text means what it says",
        arguments: [
            ("null", "null"), (" \t\r\n[ ] ", "[]"), ("{}", "{}"), ("[1,2 , 3]", "[1,2,3]"),
            (#"{"b":1,"a":{"c":[true,false,null]}}"#, #"{"b":1,"a":{"c":[true,false,null]}}"#),
            (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#),
            (#""\u0041\u00e9\u20AC\ud83d\ude00""#, #""Aé€😀""#),
            (#""\u0000\u001f\u007f\u009b""#, #""\u0000\u001f\u007f\u009b""#),
            ("\"é€😀\"", "\"é€😀\""), ("0", "0"), ("-0", "-0.0"), ("-1", "-1"), ("1.50", "1.5"), ("1e2", "100.0"),
            ("1E+2", "100.0"), ("25e-1", "2.5"), ("9223372036854775807", "9223372036854775807"),
            ("-9223372036854775808", "-9223372036854775808"), ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551616", "1.8446744073709552e+19"), ("1e-400", "0.0"), ("5e-324", "5e-324"),
            (#"{"":0}"#, #"{"":0}"#), (#"{"é":1,"e\u0301":2}"#, "{\"é\":1,\"e\u{301}\":2}"),
        ])
    func goodText(_ text: String, _ meaning: String) throws {
        // Bytes, since == takes canonically equivalent strings for equal.
        #expect(try Array(Self.compact(text).utf8) == Array(meaning.utf8))
    }

    @Test(
        "A bad text is refused with its place",
        arguments: [
            ("", "1:1: expected a value, found the end of the text"),
            (" ", "1:2: expected a value, found the end of the text"),
            ("[1,]", "1:4: expected an element after ',', found ']'; JSON has no trailing commas"),
            (#"{"a":1,}"#, "1:8: expected a key in double quotes after ',', found '}'; JSON has no trailing commas"),
            (#"{"a":1 "b":2}"#, #"1:8: expected ',' or '}' after a member, found '"'"#),
            ("{\n  \"é\": 1\n  \"b\": 2}", #"3:3: expected ',' or '}' after a member, found '"'"#),
            (#"{"é" 1}"#, "1:6: expected ':' after a key, found '1'"),
            ("[1 2]", "1:4: expected ',' or ']' after an element, found '2'"),
            ("{a:1}", "1:2: expected a key in double quotes or '}', found 'a'"),
            ("{'a':1}", "1:2: expected a key in double quotes or '}', found '''; JSON strings stand in double quotes"),
            ("[1] // x", "1:5: expected nothing after the value, found '/'; JSON has no comments"),
            ("# x", "1:1: expected a value, found '#'; JSON has no comments"),
            ("[1][2]", "1:4: expected nothing after the value, found '['"),
            ("nul", "1:1: expected 'null', found 'nul'"), ("True", "1:1: expected a value, found 'T'"),
            ("truest", "1:5: expected nothing after the value, found 's'"),
            ("NaN", "1:1: expected a value, found 'N'"), ("+1", "1:1: expected a value, found '+'"),
            (".5", "1:1: expected a value, found '.'"), ("01", "1:2: expected no digit after a leading 0, found '1'"),
            ("-", "1:2: expected a digit after '-', found the end of the text"),
            ("1.", "1:3: expected a digit after '.', found the end of the text"),
            ("1.e5", "1:3: expected a digit after '.', found 'e'"),
            ("1e+", "1:4: expected a digit after the exponent's sign or 'e', found the end of the text"),
            ("1e999", "1:1: expected a number that fits a 64-bit floating-point value, found the number 1e999"),
            ("\"a", "1:3: expected '\"' at the end of a string, found the end of the text"),
            (
                "\"a\nb\"",
                "1:3: expected no control character in a string, found the end of the line; write \\n for it, or close the string before the end of the line"
            ),
            (
                "\"\u{1}\"",
                "1:2: expected no control character in a string, found the byte 0x01; write \\u0001 for it, or close the string before the end of the line"
            ),
            (#""\x""#, #"1:3: expected one of " \ / b f n r t u after '\', found 'x'"#),
            (#""\u12g4""#, #"1:6: expected four hexadecimal digits after '\u', found 'g'"#),
            (#""\ud83d""#, #"1:2: expected a pair such as \ud83d\ude00, found half a surrogate pair, \ud83d"#),
            (#""\ude00""#, #"1:2: expected a pair such as \ud83d\ude00, found half a surrogate pair, \ude00"#),
            (#""\ud83d\u0041""#, #"1:2: expected a pair such as \ud83d\ude00, found half a surrogate pair, \ud83d"#),
            (#"{"a":1,"\u0061":2}"#, #"1:8: expected each key once, found the key "a" again (first on line 1)"#),
            (
                "\u{FEFF}{}",
                "1:1: expected JSON from the first byte on, found a byte order mark; save the file as UTF-8 without a byte order mark"
            ),
            ("é", "1:1: expected a value, found \"é\""), ("[\u{A0}]", "1:2: expected a value, found \"\u{A0}\""),
        ])
    func badText(_ text: String, _ message: String) {
        let error = #expect(throws: JSONError.self) { try JSONParser.parse(text, maximumBytes: 1 << 20) }
        #expect(error?.description == message)
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x28, 0xA1],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) {
        let quote = [UInt8(ascii: "\"")]
        let error = #expect(throws: JSONError.self) {
            try JSONParser.parse(quote + bytes + quote, maximumBytes: 100)
        }
        #expect(error == JSONError(.invalidUTF8(byte: bytes[0]), at: SourcePosition(line: 1, column: 2, offset: 1)))
    }

    @Test func nestingEndsAtItsLimit() throws {
        let limit = JSONParser.maximumDepth
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"a":["#, count: depth / 2) + String(repeating: "]}", count: depth / 2)
        }
        #expect(try Self.compact(nested(limit)) == nested(limit))
        let error = #expect(throws: JSONError.self) { try Self.compact(nested(limit + 2)) }
        #expect(error?.problem == .tooDeep(limit: limit))
        #expect(throws: JSONError.self) { try Self.compact(String(repeating: "[", count: 1 << 19)) }
    }

    @Test func sizeEndsAtTheCallersLimit() throws {
        #expect(try JSONParser.parse("[12]", maximumBytes: 4).array?.count == 1)
        let error = #expect(throws: JSONError.self) { try JSONParser.parse("[123]", maximumBytes: 4) }
        #expect(error?.problem == .tooLarge(bytes: 5, limit: 4))
    }

    @Test func everyNodeKnowsItsPlace() throws {
        let value = try JSONParser.parse("{\n \"é\": [1,\r\n  {\"b\": null}]\n}", maximumBytes: 100)
        let array = try #require(value["é"])
        let object = try #require(array.array?.last)
        let member = try #require(object.object?.first)
        #expect(value.position == SourcePosition(line: 1, column: 1, offset: 0))
        #expect(value.object?.first?.keyPosition == SourcePosition(line: 2, column: 2, offset: 3))
        #expect(array.position == SourcePosition(line: 2, column: 7, offset: 9))
        #expect(object.position == SourcePosition(line: 3, column: 3, offset: 16))
        #expect(member.keyPosition == SourcePosition(line: 3, column: 4, offset: 17))
        #expect(member.value.position == SourcePosition(line: 3, column: 9, offset: 22))
    }

    @Test func accessorsTakeTheirOwnKindAlone() throws {
        let value = try JSONParser.parse(
            #"{"n": null, "t": true, "i": 7, "u": 18446744073709551615, "d": 0.5, "s": "x"}"#, maximumBytes: 1000)
        #expect(value["t"]?.bool == true)
        #expect(value["i"]?.integer == 7)
        #expect(value["i"]?.double == 7)
        #expect(value["u"]?.integer == nil)
        #expect(value["u"]?.double == 0x1p64)
        #expect(value["d"]?.double == 0.5)
        #expect(value["s"]?.string == "x")
        #expect(value["n"]?.string == nil)
        #expect(value["s"]?.bool == nil)
        #expect(value["x"] == nil)
        #expect(value["s"]?["x"] == nil)
        #expect(value.array == nil)
        #expect(value["s"]?.object == nil)
    }

    @Test func aKeyIsFoundByItsBytes() throws {
        // U+212A, the Kelvin sign, is canonically equivalent to K.
        let value = try JSONParser.parse("{\"\u{212A}\": 1, \"K\": 2}", maximumBytes: 100)
        #expect(value["K"]?.integer == 2)
        #expect(value["\u{212A}"]?.integer == 1)
    }
}
