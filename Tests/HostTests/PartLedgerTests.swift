import Testing

@testable import Host

/// What unfinished files hold of an application's disk.
struct PartLedgerTests {
    @Test func `The sum is that of the parts, whatever is set`() {
        var ledger = PartLedger()
        ledger.set(1, 10)
        ledger.set(2, 5, isKept: true)
        ledger.set(1, 7)
        #expect(ledger.sum == 12 && ledger[1] == 7 && ledger.others(than: 1) == 5 && ledger.others(than: 3) == 12)
        ledger.set(2, 0)
        #expect(ledger.sum == 7 && ledger.oldestKept(but: 9) == nil)
        ledger.set(1, .max)
        ledger.set(2, .max)
        #expect(ledger.sum == .max && ledger.others(than: 1) == 0)
        ledger.set(1, 0)
        ledger.set(2, 0)
        #expect(ledger.sum == 0)
    }

    @Test func `The oldest part that is not being written gives way first`() {
        var ledger = PartLedger()
        for id in [7, 3, 5] as [Int64] { ledger.set(id, 1, isKept: true) }
        ledger.set(1, 1)
        #expect(ledger.oldestKept(but: 9) == 3 && ledger.oldestKept(but: 3) == 5)
        // Another task continues with it.
        ledger.set(3, 1)
        #expect(ledger.oldestKept(but: 9) == 5)
    }
}
