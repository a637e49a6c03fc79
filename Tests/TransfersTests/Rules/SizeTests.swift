import Foundation
import TaskModel
import Testing
import Transfers

struct SizeTests {
    private static let many = 10_000

    @Test func `Queued transfers are small`() throws {
        let bench = Bench.begun()
        bench.set { $0.network = .none }
        // So many that what other tests of this process allocate meanwhile does not count.
        let many = 10 * Self.many
        let before = try Self.residentBytes()
        for number in 0..<many { _ = bench.go(origin: UInt32(number % 1000)) }
        let each = (try Self.residentBytes() - before) / many
        print("TransferQueue: \(each) bytes a queued transfer")
        #expect(each < 1024 && bench.queue.counts.open == many)
    }

    private static func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * 4096
    }

    /// Counts of what is decided, not of time: the heaps are the logarithm, and a condition touches classes.
    @Test func `Ten thousand queued transfers cost a call no more than a few steps`() {
        let bench = Bench.begun { $0.concurrency = 4 }
        let transfers = (0..<Self.many).map { number in bench.go(origin: UInt32(number % 10)) }
        bench.set { $0.network = .none }
        #expect(bench.decisions.isEmpty)
        bench.set { $0.network = .ok }
        #expect(bench.decisions.isEmpty)
        for transfer in transfers {
            bench.finish(transfer)
            #expect(bench.decisions.count <= 1)
            bench.tell(transfer)
        }
        #expect(bench.queue.counts.open == 0)
    }
}
