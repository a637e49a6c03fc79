import TestSupport
import Testing

@testable import Scheduling

@Suite struct IdentityTableTests {
    @Test func `A table of identities does what a dictionary does`() {
        var random = SeededGenerator(seed: 7)
        for range in [40, 3_000] as [Int64] {
            var table = IdentityTable()
            var model: [Int64: UInt32] = [:]
            for step in 0..<60_000 as Range<UInt32> {
                // Rows near each other, and some far away.
                let identity = Int64.random(in: 1...range, using: &random) * (step % 5 == 0 ? 1 << 40 : 1)
                let value = Bool.random(using: &random) ? step : nil
                table[identity] = value
                model[identity] = value
                let other = Int64.random(in: 1...range, using: &random)
                #expect(table[other] == model[other] && table.count == model.count)
            }
            for (identity, slot) in model { #expect(table[identity] == slot) }
        }
    }
}
