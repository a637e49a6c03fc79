import TaskModel
import TestSupport
import Testing

@testable import Scheduling

@Suite struct IdentityTableTests {
    @Test func `A table of identities does what a dictionary does`() {
        var random = SeededGenerator(seed: 7)
        for range in [40, 3_000] as [Int64] {
            var table = IdentityTable()
            var model: [Int64: RequestIndex] = [:]
            for step in 0..<60_000 as Range<UInt32> {
                // Rows near each other, and some far away.
                let identity = Int64.random(in: 1...range, using: &random) * (step % 5 == 0 ? 1 << 40 : 1)
                let value = Bool.random(using: &random) ? RequestIndex(number: step) : nil
                table[identity] = value
                model[identity] = value
                let other = Int64.random(in: 1...range, using: &random)
                #expect(table[other] == model[other] && table.count == model.count)
            }
            for (identity, slot) in model { #expect(table[identity] == slot) }
        }
    }

    /// Rows a power of two apart would all begin at one place. In processor time of this thread: looking through
    /// what piled up would be 1,000 × and more.
    @Test(arguments: [64, 1 << 14, 1 << 20, 1 << 40] as [Int64])
    func `Rows that lie evenly apart do not pile up`(_ stride: Int64) {
        func time(_ stride: Int64) -> Double {
            let begin = processorTime
            var table = IdentityTable()
            for row in 1...10_000 as ClosedRange<Int64> { table[row * stride] = RequestIndex(number: UInt32(row)) }
            for row in 1...10_000 as ClosedRange<Int64> { #expect(table[row * stride]?.number == UInt32(row)) }
            return processorTime - begin
        }
        let (dense, apart) = (time(1), time(stride))
        #expect(apart < dense * 50, "\(dense) ns for neighbours, \(apart) ns for rows \(stride) apart")
    }
}
