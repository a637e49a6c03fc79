import Control
import Foundation
import JSON
import TestSupport
import Testing

/// Unfinished files of an application count against its disk.
struct TransferPartsTests {
    private func add(_ bench: TransferBench, _ path: String) throws -> Int64 {
        let reply = try bench.daemon.ask(
            .post, "/v1/transfers",
            body: "{\"url\":\"\(bench.web.url(path))\",\"application\":\"\(TransferBench.application)\"}")
        return try #require(try reply.document()["id"]?.integer, "\(reply)")
    }

    private func look(_ bench: TransferBench, _ id: Int64) throws -> JSONValue {
        try bench.daemon.ask(.get, "/v1/transfers/\(id)").document()
    }

    @Test
    func `A download waits while others of its application have reserved the disk, and says so`() throws {
        let bench = try TransferBench(files: ["a": 3 << 20, "b": 3 << 20]) { manifest in
            manifest["tasks"] = [
                TransferBench.work: ["kind": "processing", "budget": ["disk": "4MiB"]] as [String: Any]
            ]
        }
        let first = try add(bench, "throttled/a?rate=32k")
        try bench.station.waitForPart(1, of: TransferBench.application)
        // The host learns about the answer a moment later, and no event reports that.
        var patience = Patience()
        while try look(bench, first)["status"]?.integer != 200 {
            guard patience.milliseconds() != nil else { throw Problem.vain("the answer", seen: bench.daemon.seen) }
        }
        let second = try add(bench, "throttled/b?rate=4m")
        try bench.daemon.waitUntil { try look(bench, second)["waitsFor"]?.string == "disk" }
        let waiting = try look(bench, second)
        #expect(waiting["lastFault"]?.string?.contains("its unfinished transfers hold 3 MiB") == true, "\(waiting)")
        #expect(waiting["received"]?.integer == 0, "\(waiting)")
        let cancelled = try bench.daemon.ask(.post, "/v1/transfers/\(first)/cancel")
        #expect(cancelled.status < 300, "\(cancelled)")
        try bench.daemon.waitUntil { try look(bench, second)["state"]?.string == "delivered" }
        let end = try look(bench, second)
        #expect(end["received"]?.integer == 3 << 20 && end["error"]?.string == nil, "\(end)")
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test func `What is larger than the disk by itself is too large at once`() throws {
        let bench = try TransferBench(files: ["a": 5 << 20]) { manifest in
            manifest["tasks"] = [
                TransferBench.work: ["kind": "processing", "budget": ["disk": "4MiB"]] as [String: Any]
            ]
        }
        let id = try add(bench, "a")
        try bench.daemon.waitUntil { try look(bench, id)["errorCode"]?.integer == -1103 }
    }
}
