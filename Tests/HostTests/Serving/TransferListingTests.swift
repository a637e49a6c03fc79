import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What an application finds of a session that it opens again")
struct TransferListingTests {
    @Test("One whose end was not delivered has ended, with the bytes that came; one that runs says how far it is")
    func states() throws {
        let bench = try TransferBench(files: ["a": 40_000, "b": 4_000_000])
        try bench.perform(
            "open s", "replay s", "silent", "download s \(bench.web.url("a"))", "create s \(bench.web.url("a"))",
            "download s \(bench.web.url("throttled/b?rate=500k"))", "await 1")
        try bench.station.waitForPart(3, of: TransferBench.application)
        try bench.kill()
        try bench.perform("have s")
        let known = try bench.trace().filter { $0.hasPrefix("known s ") }
        #expect(known.count == 3)
        #expect(known[0].hasSuffix(" suspended 0 received 40000 sent 0 of 40000 headers 1 state 3"), "\(known)")
        #expect(known[1].hasSuffix(" suspended 1 received 0 sent 0 of -1 headers 1 state 1"), "\(known)")
        #expect(known[2].hasSuffix(" of 4000000 headers 1 state 0") && !known[2].contains("received 0 "), "\(known)")
        try bench.waitFor("completed s 1", count: 2)
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("Twenty thousand transfers are listed in portions")
    func many() throws {
        let count = 20_000
        let bench = try TransferBench()
        let url = bench.web.url("a?" + String(repeating: "q", count: 500))
        try bench.perform("open s", "replay s", "create s \(url)")
        #expect(try bench.daemon.stop().status == 0)
        try Self.multiply(bench, to: count)
        let daemon = try Daemon(bench.station)
        try bench.perform("have s")
        let known = try bench.trace().filter { $0.hasPrefix("known s ") }
        #expect(known.count == count)
        let wrong = known.enumerated().first { !$1.hasPrefix("known s \($0 + 1) kind 1 GET \(url) ") }
        #expect(wrong == nil, "\(String(describing: wrong))")
        #expect(try bench.trace().contains { $0.hasPrefix("opened s status 0 next \(count + 1) []") })
        #expect(try bench.terminations().isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    /// Makes so many of the one that is on record. The host must not run.
    private static func multiply(_ bench: TransferBench, to count: Int) throws {
        let record = try SQLite(URL(filePath: bench.station.state).appending(path: "taskhost.db"))
        let columns = try record.column("SELECT name FROM pragma_table_info('transfers')")
        let values = columns.map { ["id", "number"].contains($0) ? "n" : "transfers.\($0)" }
        try record.execute(
            """
            WITH RECURSIVE more(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < \(count))
            INSERT INTO transfers (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", "))
            FROM more, transfers WHERE transfers.id = 1
            """)
        try record.execute("UPDATE sessions SET next = \(count) + 1")
    }
}
