import Linux
import Testing

@testable import Setting

@Suite("The ledger of workers that no control group holds")
struct WorkerLedgerTests {
    private func process(_ pid: Int32, session: Int32, start: UInt64, state: String = "S") throws -> ProcessStatus {
        let line = "\(pid) (x) \(state) 1 \(session) \(session) 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 \(start) 0"
        let status = ProcessStatus(parsing: line.utf8.span)
        return try #require(status)
    }

    @Test("is believed in the same life of the machine alone, line by line")
    func reading() {
        let text = "boot 4026\n70 900 61000   \n                  \n1 5 0\nx 900 1\n71 901 0\n72 902"
        let entries = WorkerLedger.entries(in: text, world: "boot 4026")
        #expect(
            entries == [
                WorkerLedger.Entry(pid: 70, start: 900, user: 61000), WorkerLedger.Entry(pid: 71, start: 901, user: 0),
            ])
        #expect(WorkerLedger.entries(in: text, world: "other 4026").isEmpty)
        #expect(WorkerLedger.entries(in: "", world: "boot 4026").isEmpty)
    }

    @Test("finds what a worker left by its session, unless its number is another's by now")
    func members() throws {
        let worker = WorkerLedger.Entry(pid: 70, start: 900, user: 0)
        let child = try process(80, session: 70, start: 905)
        let dead = try process(81, session: 70, start: 905, state: "Z")
        let stranger = try process(82, session: 82, start: 905)
        #expect(WorkerLedger.members(of: worker, among: [child, dead, stranger]).map(\.pid) == [80])
        let itself = try process(70, session: 70, start: 900)
        #expect(WorkerLedger.members(of: worker, among: [itself, child]).map(\.pid) == [70, 80])
        let successor = try process(70, session: 70, start: 5000)
        #expect(WorkerLedger.members(of: worker, among: [successor, child]).isEmpty)
        let older = try process(83, session: 70, start: 20)
        #expect(WorkerLedger.members(of: worker, among: [older]).isEmpty)
    }
}
