import Linux
import TaskModel
import Testing
import Workers

@Suite("Numbers and limits of projects")
struct ProjectNumbersTests {
    @Test func `The wanted number comes first, then those behind it, then those before it`() {
        let numbers = ProjectNumbers(10...13)
        #expect(numbers.candidates(from: 12) == [12, 13, 10, 11])
        #expect(numbers.candidates(from: 10) == [10, 11, 12, 13])
        #expect(numbers.candidates(from: 0) == [10, 11, 12, 13], "it is no number of the host's")
        #expect(ProjectNumbers(1...1).candidates(from: 1) == [1])
    }

    @Test func `What the machine's tables name is left to others`() {
        let numbers = ProjectNumbers(
            10...14, projects: "# 13:/no\n10:/srv/a\n11:/srv/b:c\n", names: "mail:12\nbroken\n:\nlast: 14 ")
        #expect(numbers.candidates(from: 10) == [13])
    }

    @Test func `A range is not gone through to its end`() {
        let range: ClosedRange<UInt32> = 2_000_000_000...2_000_065_535
        let tried = ProjectNumbers(range).candidates(from: range.upperBound)
        #expect(tried.count == 256)
        #expect(tried.prefix(2) == [range.upperBound, range.lowerBound])
        #expect(Set(tried).count == 256)
    }

    @Test func `The limit is the budget, and leaves room for who has too much to clean up`() {
        func limit(_ used: Int, _ present: Int = 0) -> UInt64 {
            let usage = ProjectQuotas.Usage(bytes: UInt64(used) << 20, limit: UInt64(present) << 20, files: 1)
            return ProjectKeeper.limit(for: .mebibytes(8), usage) >> 20
        }
        #expect(limit(0) == 8)
        #expect(limit(8) == 8)
        #expect(limit(3, 40) == 8, "the budget was more, and is not used")
        #expect(limit(40) == 41)
        #expect(limit(40, 64) == 41, "the budget was more, and is")
        #expect(limit(41, 41) == 41, "it may not add to it by being refused")
        #expect(limit(20, 41) == 21)
    }
}
