import Control
import Foundation
import JSON
import TestSupport
import Testing

/// Credentials that a task of the manifest renews while the application is dead.
@Suite("Renewal of credentials")
struct RenewalTests {
    /// The transfers are there, and the application received nothing but that.
    private func expectDelivered(_ renewal: RenewalBench, _ count: Int = 1) throws {
        try renewal.bench.waitFor("completed s", count: count)
        try renewal.bench.waitFor("handled s")
        for number in 1...count { #expect(try renewal.bench.kept(number) == renewal.file) }
        let trace = try renewal.bench.trace()
        #expect(!trace.contains { $0.hasPrefix("challenge") }, "\(trace)")
        #expect(
            trace.count { $0.hasPrefix("completed") && $0.contains("error 0") && $0.contains("status 200") } == count)
    }

    @Test(
        "A handler renews them, or a foreign function; the transfer continues, and no file, list or log has the credential",
        arguments: [nil, "renewal_good"])
    func renewed(_ function: String?) throws {
        let renewal = try RenewalBench(function)
        try renewal.beginAndDie()
        try expectDelivered(renewal)
        #expect(try renewal.outcomes() == ["succeeded"])
        #expect(renewal.renewals == (function == nil ? 0 : 1))

        let station = renewal.bench.station
        var told = renewal.bench.daemon.seen + renewal.bench.daemon.program.output
        let lists = [
            ["transfers", "--all", "--json"], ["transfers", "show", "1", "--json"], ["journal", "--json"],
            ["history", "--json"], ["list", "--json"], ["show", TransferBench.application, "--json"],
        ]
        for words in lists {
            let command = try station.start(words, manifests: false).finish()
            told += command.output + command.errors
        }
        for run in try station.history() {
            told += try station.start(["show", run.run, "--json"], manifests: false).finish().output
        }
        told += try String(
            decoding: Data(contentsOf: URL(filePath: "/proc/\(renewal.bench.daemon.program.pid)/environ")),
            as: UTF8.self)
        #expect(told.contains(renewal.task) && !told.contains(renewal.token), "\(told)")
        #expect(renewal.leaks(below: station.folder.path) == [], "while the host runs")
        #expect(try renewal.bench.daemon.stop().status == 0)
        #expect(renewal.leaks(below: station.folder.path) == [], "afterwards")
    }

    @Test(
        "One that gives nothing has failed, and the application is asked",
        arguments: [
            ("renewal_none", "failed"), ("renewal_empty", "failed"), ("renewal_broken", "succeeded"),
        ])
    func fails(_ function: String, _ outcome: String) throws {
        let renewal = try RenewalBench(function)
        try renewal.beginAndDie()
        try renewal.bench.waitFor("challenge s 1")
        #expect(try renewal.outcomes() == [outcome])
        let journal = try renewal.bench.daemon.tell("journal")
        #expect(journal.contains("renewalFailed") && journal.contains("are not renewed"), "\(journal)")
        try renewal.origin.wait(forAnswer: "GET /guarded?file=a&hold=go&number=0 401", count: 2)
        #expect(try renewal.bench.daemon.stop().status == 0)
    }

    @Test("One that goes beyond its budget is ended, and the application is asked")
    func overruns() throws {
        let renewal = try RenewalBench("renewal_slow", budget: ["wallClock": "500ms", "grace": "100ms"])
        try renewal.beginAndDie()
        try renewal.bench.waitFor("challenge s 1")
        #expect(try renewal.outcomes() == ["overran"])
        #expect(renewal.renewals == 1)
        #expect(try renewal.bench.daemon.stop().status == 0)
    }

    @Test("A credential that is refused as well is not renewed again: the application is asked")
    func refused() throws {
        let renewal = try RenewalBench("renewal_refused")
        try renewal.beginAndDie()
        try renewal.bench.waitFor("challenge s 1")
        #expect(try renewal.outcomes() == ["succeeded"])
        #expect(renewal.renewals == 1)
        #expect(renewal.origin.answers.count { $0.contains("/guarded") } <= 2)
        #expect(try renewal.bench.daemon.stop().status == 0)
    }

    @Test("Two transfers that are denied at once have one renewal")
    func shared() throws {
        let renewal = try RenewalBench("renewal_when_told")
        try renewal.beginAndDie(2)
        try renewal.bench.daemon.waitUntil {
            try renewal.bench.transfers().count { $0["waitsFor"]?.string == "answer" } == 2
        }
        try renewal.write("go")
        try expectDelivered(renewal, 2)
        #expect(renewal.renewals == 1)
        #expect(try renewal.outcomes() == ["succeeded"])
        #expect(try renewal.bench.daemon.stop().status == 0)
    }

    @Test("One that is denied after a renewal continues with the renewed credential")
    func late() throws {
        let renewal = try RenewalBench("renewal_good")
        let late = renewal.origin.url("guarded?file=a&hold=late")
        try renewal.bench.perform(
            "open s", "replay s", "download s \(renewal.origin.url("guarded?file=a&hold=go"))", "download s \(late)")
        try renewal.bench.kill()
        try renewal.bench.daemon.waitUntil {
            try renewal.bench.transfers().count { $0["state"]?.string == "running" } == 2
        }
        try renewal.origin.add("go", [])
        try renewal.origin.wait(forAnswer: "GET /guarded?file=a&hold=go 200")
        try renewal.origin.add("late", [])
        try expectDelivered(renewal, 2)
        #expect(renewal.renewals == 1)
        #expect(try renewal.outcomes() == ["succeeded"])
        #expect(try renewal.bench.daemon.stop().status == 0)
    }
}
