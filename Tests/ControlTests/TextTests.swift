import Control
import TaskModel
import Testing

@Suite("Texts of the API")
struct TextTests {
    @Test("Base 64 reads back, and takes nothing but whole padded groups")
    func base64() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        #expect(Base64.encode(Array("foobar".utf8)) == "Zm9vYmFy")
        #expect(Base64.encode(Array("fooba".utf8)) == "Zm9vYmE=")
        for text in ["Zg", "Zg=", "Z===", "Zh==", "Zm9=", "Zm9v\n", "Zm 9", "====", "Zg==Zg==", "Zm9-"] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }

    static let samples: [(String, Int64?)] = [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.250Z", 250_000_000),
        ("1969-12-31T23:59:59Z", -1_000_000_000),
        ("2026-03-01T12:00:00+02:00", 1_772_359_200_000_000_000),
        ("2024-02-29T00:00:00-00:30", 1_709_166_600_000_000_000),
        ("2261-12-31T23:59:59.999999999Z", 9_214_646_399_999_999_999), ("2023-02-29T00:00:00Z", nil),
        ("1678-01-01T00:00:00Z", -9_214_560_000_000_000_000), ("0001-01-01T00:00:00Z", -9_214_560_000_000_000_000),
        ("2262-01-01T00:00:00Z", 9_214_646_399_999_999_999), ("9999-12-31T23:59:59Z", 9_214_646_399_999_999_999),
        ("9999-02-29T00:00:00Z", nil), ("2026-13-01T00:00:00Z", nil), ("2026-03-01T24:00:00Z", nil),
        ("2026-03-01 12:00:00Z", nil), ("2026-03-01T12:00:00", nil), ("2026-03-01T12:00:00.Z", nil), ("tomorrow", nil),
        ("2026-03-01T12:00:00Zx", nil), ("", nil), ("2026-03-01T12:00:60Z", nil), ("٢٠٢٦-03-01T12:00:00Z", nil),
    ]
    @Test("A moment reads as RFC 3339 says", arguments: samples)
    func moments(_ text: String, _ nanoseconds: Int64?) {
        #expect(Timestamp(iso8601: text)?.nanoseconds == nanoseconds)
    }

    @Test("Every millisecond that is written reads back")
    func momentsReadBack() {
        for step in -2000...2000 as ClosedRange<Int64> {
            let moment = Timestamp(nanoseconds: step * 4_500_123_456_000_000)
            let read = Timestamp(iso8601: moment.iso8601)
            #expect(read?.iso8601 == moment.iso8601)
        }
    }

    @Test("A target that was written reads back")
    func targets() throws {
        let query = [("a b", "c&d=e"), ("ä", "%2F+,"), ("", "")]
        let text = RequestTarget.text(path: "/v1/tasks/a%b/c?d", query: query.map { (name: $0.0, value: $0.1) })
        let target = try RequestTarget(parsing: Array(text.utf8))
        #expect(target.path == "/v1/tasks/a%b/c?d")
        #expect(target.query.map(\.name) == query.map(\.0))
        #expect(target.query.map(\.value) == query.map(\.1))
    }
}
