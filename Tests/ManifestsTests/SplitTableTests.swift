import Manifests
import Testing

@Suite struct SplitTableTests {
    private static func name(_ number: Int) -> String { "com.example.application\(number).refresh" }

    @Test("Holds what a dictionary holds, in parts of about one size, and gives them back one by one")
    func parts() {
        var table = SplitTable<Int>()
        #expect(table[Self.name(1)] == nil)
        for number in 0..<50_000 { #expect(table.updateValue(number, forKey: Self.name(number)) == nil) }
        #expect(table.updateValue(-7, forKey: Self.name(7)) == 7)
        table[Self.name(8)] = nil
        #expect(table[Self.name(7)] == -7 && table[Self.name(8)] == nil && table[Self.name(49_999)] == 49_999)
        // Twice the average: the parts are filled by a hash.
        #expect(table.largestPart <= 2 * 50_000 / SplitTable<Int>.partCount, "\(table.largestPart)")
        var steps = 0
        while table.dropPart() { steps += 1 }
        #expect(steps == SplitTable<Int>.partCount)
        #expect(table[Self.name(7)] == nil && !table.dropPart())
        table[Self.name(1)] = 1
        #expect(table[Self.name(1)] == 1)
    }
}
