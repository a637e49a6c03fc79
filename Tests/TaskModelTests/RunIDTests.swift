import TaskModel
import Testing

struct RunIDTests {
    private func id(_ milliseconds: Int64, _ random: (UInt16, UInt64), after last: ULID?) -> ULID {
        ULID(at: Timestamp(nanoseconds: milliseconds * 1_000_000), random: { random }, after: last)
    }

    @Test("ids ascend in one millisecond, over its end, and while the calendar is set back")
    func ascending() {
        let first = id(7, (0xFFFF, .max - 1), after: nil)
        #expect(first == ULID(at: Timestamp(nanoseconds: 7_000_000), random: (0xFFFF, .max - 1)))
        let second = id(7, (0, 5), after: first)
        #expect(second.milliseconds == 7 && second.low == .max)
        let third = id(7, (0, 5), after: second)
        #expect(third.milliseconds == 8, "the random bits of a millisecond are used up")
        let back = id(3, (1, 2), after: third)
        #expect(back.milliseconds == 9 && back.high & 0xFFFF == 1 && back.low == 2)
        let again = id(3, (1, 1), after: back)
        #expect(again.milliseconds == 10)
        let later = id(11, (0, 0), after: again)
        #expect(later.milliseconds == 11 && later.low == 0)
        let next = ULID(at: Timestamp(nanoseconds: 11_000_000), random: { fatalError("it needs none") }, after: later)
        #expect(next.milliseconds == 11 && next.low == 1)
        let ids = [first, second, third, back, again, later, next]
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
    }
}
