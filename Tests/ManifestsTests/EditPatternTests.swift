import Manifests
import Testing

@Suite("Edits between two words")
struct EditPatternTests {
    /// The table of edits, row by row.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var edits = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { edits = min(edits, rows[i - 1][j - 1] + 1) }
                row.append(edits)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }

    @Test("are those of the table, for words of few letters and of many")
    func table() throws {
        var state: UInt64 = 4711
        func random(_ range: ClosedRange<Int>) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int(state >> 33) % range.count
        }
        func word(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(random(0x61...0x64)) } }
        for length in [1, 2, 5, 12, 34, 63, 64] {
            for _ in 0..<200 {
                let (a, b) = (word(length), word(random(0...70)))
                let pattern = try #require(EditPattern(String(decoding: a, as: UTF8.self)))
                #expect(pattern.distance(to: String(decoding: b, as: UTF8.self)) == Self.distance(a, b))
            }
        }
    }

    @Test("do not count case and separators; words without letters, and of more than 64, are compared with none")
    func folding() throws {
        let pattern = try #require(EditPattern("wall_Clock"))
        #expect(pattern.distance(to: "wallClock") == 0 && pattern.distance(to: "WALL-CLOKC") == 1)
        #expect(EditPattern("") == nil && EditPattern("-_") == nil)
        #expect(EditPattern(String(repeating: "a", count: 65)) == nil)
    }
}
