import Foundation
import JSON
import TestSupport
import Testing

/// Transfers that end without an answer, or before anything goes over the network: the client that waits learns so.
struct RefusedTransferTests {
    private func add(_ bench: TransferBench, _ url: String) throws -> Command {
        try bench.station.start(
            ["transfers", "add", url, "--for", TransferBench.application, "--wait"], manifests: false
        ).finish()
    }

    @Test func `An upload whose file may not be read fails in the process that asked`()
        throws
    {
        // The session is replayed in the turn that the upload begins with.
        let bench = try TransferBench(
            launch: ["open s 14", "replay s"] + (1...8).map { _ in "upload s http://127.0.0.1:1/put/x /etc/shadow" })
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.waitFor("completed s ", count: 8)
        let said = try bench.trace().filter { $0.hasPrefix("completed ") }
        #expect(said.allSatisfy { $0.contains("error -1102") }, "\(said)")
    }

    @Test func `What cannot be begun has failed, and not ended, for a client that waits`() throws {
        let bench = try TransferBench(settings: [
            "transfers": ["trust": [["host": "127.0.0.1", "ca": "$CACHE/none.pem"]]]
        ])
        for _ in 0..<5 {
            let added = try add(bench, "https://127.0.0.1:\(bench.web.port(.secure))/a")
            #expect(added.status == 1, "\(added)")
            #expect(added.errors.contains("none.pem"), "\(added)")
        }
    }

    @Test func `A file of certificates that is too large fails its own transfer alone`() throws {
        let bench = try TransferBench(settings: [
            "transfers": ["trust": [["host": "127.0.0.1", "ca": "$CACHE/large.pem"]]]
        ])
        try bench.perform("sleep 0")
        try Data(repeating: UInt8(ascii: "x"), count: 100 << 10).write(
            to: URL(filePath: bench.folder("cache/large.pem")))
        let added = try add(bench, "https://127.0.0.1:\(bench.web.port(.secure))/a")
        #expect(added.status == 1 && added.errors.contains("large.pem"), "\(added)")
        #expect(try add(bench, bench.web.url("a")).status == 0)
    }

    @Test func `No process is asked for credentials of what a user added`() throws {
        let bench = try TransferBench()
        let added = try add(bench, bench.web.url("basic/a"))
        #expect(added.status == 1 && added.errors.contains("--header"), "\(added)")
        let listed = try bench.transfers().first
        #expect(listed?["status"]?.integer == 401 && listed?["errorCode"]?.integer == -1013, "\(listed as Any)")
    }

    @Test(arguments: ["rate", "applicationRate"])
    func `A rate holds from the first byte on`(key: String) throws {
        let bench = try TransferBench(files: ["a": 300_000], settings: ["host": [key: "100KiB"]])
        let start = ContinuousClock.now
        #expect(try add(bench, bench.web.url("a")).status == 0)
        #expect(ContinuousClock.now - start > .seconds(2), "300,000 bytes at 100 KiB/s")
    }
}
