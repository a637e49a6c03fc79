import JSON
import Testing

@Suite struct JSONOutputTests {
    static let document: JSONOutput = [
        "run": "01J", "outcome": nil, "wallTime": 1.25, "attempt": 2, "last": true, "empty": [], "none": [:],
        "events": ["a", ["b": -1]],
    ]

    @Test func compactIsOneLine() {
        #expect(
            Self.document.text()
                == #"{"run":"01J","outcome":null,"wallTime":1.25,"attempt":2,"last":true,"empty":[],"none":{},"#
                + #""events":["a",{"b":-1}]}"#)
    }

    @Test("What a terminal obeys, and what turns the order of a text around, is printed as its escape")
    func printable() {
        #expect(JSONWriter.printable("a\u{1B}[31m\n\u{9B}b") == #"a\u001b[31m\n\u009bb"#)
        #expect(JSONWriter.printable("txt.\u{202E}exe\u{2066}\u{200F}\u{61C}") == #"txt.\u202eexe\u2066\u200f\u061c"#)
        #expect(JSONWriter.printable("a\u{2028}b\u{202F}c\u{200D}é👩‍🔬") == "a\\u2028b\u{202F}c\u{200D}é👩‍🔬")
        #expect(JSONWriter.printable("a\tb\nc\u{1B}", keeping: ["\t", "\n"]) == "a\tb\nc\\u001b")
    }

    @Test func prettyIndentsByTwo() {
        #expect(
            Self.document.text(.pretty) == """
                {
                  "run": "01J",
                  "outcome": null,
                  "wallTime": 1.25,
                  "attempt": 2,
                  "last": true,
                  "empty": [],
                  "none": {},
                  "events": [
                    "a",
                    {
                      "b": -1
                    }
                  ]
                }
                """)
    }

    @Test(
        "Doubles read back the same, and none is written that JSON lacks",
        arguments: [
            (0.1, "0.1"), (1.0, "1.0"), (-0.0, "-0.0"), (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"), (.nan, "null"), (.infinity, "null"),
            (-.infinity, "null"),
        ])
    func doubles(_ value: Double, _ text: String) throws {
        #expect(JSONOutput.double(value).text() == text)
        let back = try JSONParser.parse(text, maximumBytes: 100)
        #expect(back.double?.bitPattern == (value.isFinite ? value.bitPattern : nil))
    }

    @Test func everyScalarBelowU0100ReadsBack() throws {
        for value in UInt8.min...UInt8.max {
            let text = String(Unicode.Scalar(value))
            let written = JSONOutput.string(text).text()
            #expect(try JSONParser.parse(written, maximumBytes: 100).string == text)
            #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test func optionalsBecomeNull() {
        #expect(JSONOutput(nil as String?) == .null)
        #expect(JSONOutput("x" as String?) == "x")
        #expect(JSONOutput(nil as Int?) == .null)
        #expect(JSONOutput(UInt64.max) == .unsigned(.max))
        #expect(JSONOutput(Int32(-3)) == -3)
        #expect(JSONOutput(nil as Double?) == .null)
    }

    @Test func excerptsAreCutBetweenScalars() {
        #expect(JSONWriter.quoted("a\n\u{1B}\"é", limit: 10) == #""a\n\u001b\"é""#)
        #expect(JSONWriter.quoted("ééé", limit: 2) == "\"éé…\"")
        #expect(JSONWriter.quoted("éé", limit: 2) == "\"éé\"")
        #expect(JSONWriter.quoted("", limit: 2) == "\"\"")
    }
}
