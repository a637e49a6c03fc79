import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What an application finds of a session that it opens again")
struct TransferListingTests {
    @Test("One that is over and not told of is over, with the bytes that came; one that goes on tells how far it is")
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
}
