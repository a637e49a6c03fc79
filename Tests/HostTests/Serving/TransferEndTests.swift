import Control
import Foundation
import JSON
import TestSupport
import Testing

/// A transfer gets one end, and what is wrong with one row of the record ends no host.
struct TransferEndTests {
    @Test func `Uploads that cannot begin and are cancelled at once end once each`() throws {
        let bench = try TransferBench()
        let each = 40
        for round in 0..<4 {
            let numbers = (1...each).map { round * each + $0 }
            let lines =
                (round == 0 ? ["open s", "replay s"] : [])
                + numbers.map { "upload s \(bench.web.url("put/\($0)")) /missing" } + numbers.map { "cancel s \($0)" }
            try bench.perform((lines + ["sleep 100"]).joined(separator: "\n"))
        }
        // Each has its end, and the host continues.
        try bench.daemon.waitUntil {
            let open = try bench.daemon.ask(.get, "/v1/transfers?open=true&limit=1000").document()["transfers"]?.array
            return (open ?? []).allSatisfy { $0["state"]?.string == "ended" }
        }
        #expect(try !bench.daemon.tell("journal").contains("rowSetAside"))
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test
    func `A row that makes no sense is set aside and reported at the start, and the others continue`() throws {
        let downloads = try Downloads(files: 3, bytes: 600_000, rate: 1 << 10)
        let first = try Daemon(downloads.station)
        var ids: [Int64] = []
        for index in 0..<3 {
            let reply = try first.ask(
                .post, "/v1/transfers",
                body: "{\"url\":\"\(downloads.web.url("throttled/file\(index)?rate=1k"))\","
                    + "\"application\":\"\(Downloads.application)\"}")
            ids.append(try #require(try reply.document()["id"]?.integer, "\(reply)"))
        }
        #expect(try first.stop().status == 0)
        let damage = try Command.run(
            "python3",
            [
                "-c", "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()",
                downloads.station.state + "/taskhost.db", "UPDATE transfers SET kind = 99 WHERE id = \(ids[1])",
            ])
        #expect(damage.status == 0, "\(damage)")
        let second = try Daemon(downloads.station)
        for id in [ids[0], ids[2]] {
            try second.waitUntil {
                try second.ask(.get, "/v1/transfers/\(id)").document()["state"]?.string == "running"
            }
        }
        #expect(try second.tell("journal").contains("row \(ids[1]) of transfers makes no sense"))
        let checks = try second.ask(.get, "/v1/doctor").document()["checks"]?.array ?? []
        let record = try #require(checks.first { $0["check"]?.string == "record" })
        #expect(record["status"]?.string == "fault", "\(record)")
        #expect(record["found"]?.string?.contains("row \(ids[1]) of transfers") == true, "\(record)")
        #expect(try second.stop().status == 0)
    }
}
