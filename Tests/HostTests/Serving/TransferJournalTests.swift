import Foundation
import TestSupport
import Testing

/// What the journal says about transfers without any verb.
@Suite("The journal of transfers")
struct TransferJournalTests {
    @Test("A failure, the death of a process without runs, and its launch for the events have a line each")
    func lines() throws {
        let bench = try TransferBench(files: ["a": 60_000])
        try bench.perform(
            "open s", "replay s", "upload s http://user:secret@127.0.0.1:1/put/x?secret /etc/shadow",
            "download s \(bench.web.url("throttled/a"))?rate=20k", "await 1")
        try bench.kill()
        try bench.waitFor("handled s")
        let journal = try bench.daemon.tell("journal").split(separator: "\n")
        let told = journal.filter { $0.contains(TransferBench.application) }
        let failed = told.filter { $0.contains("transferFailed") }
        #expect(failed.count == 1 && failed[0].contains("transfer 1; http://127.0.0.1:1/put/x; "), "\(told)")
        #expect(failed.first?.contains("(-1102)") == true && !told.contains { $0.contains("secret") }, "\(told)")
        let crashed = told.filter { $0.contains("crashed") }
        #expect(
            crashed.count == 1 && crashed[0].contains("ended by signal 9 (SIGKILL); no run was in progress in it"),
            "\(told)")
        let events = told.filter { $0.contains("sessionEvents") }
        #expect(events.count == 1 && events[0].contains("launched for the events of its session s"), "\(told)")
        #expect(try bench.daemon.stop().status == 0)
        let after = try bench.station.start(["journal"], manifests: false).finish().output
        #expect(after.components(separatedBy: "crashed").count == 2, "an end that the host wants is none: \(after)")
    }

    @Test(
        "An application that fails without end fills 256 lines in an hour, and the next hour says how many more there were"
    )
    func flood() throws {
        let bench = try TransferBench()
        let lines = ["open s", "replay s"] + (1...300).map { "download s ftp://127.0.0.1/\($0)" } + ["await 300"]
        try bench.perform(lines.joined(separator: "\n"))
        let journal = try bench.daemon.tell("journal", "--limit", "1000")
        #expect(journal.components(separatedBy: "transferFailed").count - 1 == 256)
        #expect(try bench.daemon.stop().status == 0)
    }
}
