import Engine
import Foundation
import Record
import TaskModel
import TestSupport
import Testing
import Wire
@testable import Host
@testable import Setting

/// What the engine says of the end of an application's process, through a whole host into its record.
@Suite("The end of an application's process")
struct TerminationTests {
    private final class Witness: HostAudience {
        var terminations: [Termination] = []
        var lines: [String] = []
        var isEnded = false

        func didTerminate(_ termination: Termination) { terminations.append(termination) }
        func journal(_ entry: JournalEntry) { lines.append("\(entry.kind.name) \(entry.subject) \(entry.text)") }
        var followsTransfers: Bool { false }
        func transfer(_ news: TransferNews, _ view: () -> TransferView) {}
        func runDidBegin(_ run: RunHandle) {}
        func run(_ run: RunHandle, didStartAt time: Timestamp) {}
        func run(_ run: RunHandle, didEnd slot: RunSlot) { isEnded = true }
        func run(_ run: RunHandle, didExpire reason: Reason) {}
        func run(_ run: RunHandle, didProgress report: ProgressReport) {}
        func run(_ run: RunHandle, didPrint bytes: ArraySlice<UInt8>, _ mark: LogMark) {}
        func requestChanged(_ what: String, _ identifier: String) {}
        func deviceChanged() {}
        func application(_ application: ApplicationIndex, isIn state: ApplicationState) {}
    }

    @Test("is in the record with its turn, in the journal, and reported to the audience")
    func told() throws {
        let folder = try TestSupport.Folder()
        let witness = Witness()
        let host = try HostUnderTest(stateFolder: folder.file("state").path, configuration: HostConfiguration())
        host.audience = witness
        let manifest = try Places.built.get().appending(path: "fixtures.noop.json").path
        let application = try #require(Catalogue([manifest], profile: .modern).applications.first)
        let task = try #require(try host.install(application).first)
        host.decider.refreshClock()
        host.submit(task, observer: nil)
        try host.run { witness.isEnded }
        let name = application.definition.identifier
        let worker = try #require(host.workers.table.living.first { _ in true }).handle
        let ended: [(TerminationReason, ApplicationCallback?, TimeSpan?)] = [
            (.appWatchdog, .didEnterBackground, .seconds(5)), (.memoryPressure, nil, nil),
        ]
        for (reason, callback, took) in ended {
            host.decider.engine.actions.append(.write(.terminated(worker, reason, callback: callback, took: took)))
        }
        try host.run { witness.terminations.count == 2 }
        let found = try host.history.terminations(application: name, before: nil, limit: 9).elements
        #expect(found.reversed() == witness.terminations)
        #expect(found.map(\.reason) == [.memoryPressure, .appWatchdog])
        #expect(found[1].callback == .didEnterBackground && found[1].took == .seconds(5))
        let lines = [
            "terminated \(name) didEnterBackground took longer than 5 s (0x8badf00d appWatchdog)",
            "terminated \(name) memory was short while it was suspended (memoryPressure)",
        ]
        #expect(witness.lines.filter { $0.hasPrefix("terminated") } == lines)
        #expect(try host.history.journal(before: nil, limit: 9).elements.filter { $0.kind == .terminated }.count == 2)
        try host.close()
    }

    @Test("is reported in one sentence that names what it had left open")
    func sentence() {
        var termination = Termination(
            application: "a.b", at: Timestamp(nanoseconds: 0), reason: .backgroundTaskAssertionTimeout,
            assertions: [OpenAssertion(id: 1, name: "save", age: .milliseconds(12_300))], assertionCount: 1)
        #expect(
            termination.words
                == "its background time ended with assertions open (0x8badf00d backgroundTaskAssertionTimeout)")
        #expect(
            termination.openWords { _ in "begun by saveDraft() + 28" }
                == #"1 assertion was open: "save" (12.3 s, begun by saveDraft() + 28)"#)
        termination.assertions.append(OpenAssertion(id: 2, name: "", age: .seconds(1)))
        termination.assertionCount = 1001
        #expect(
            termination.openWords { _ in nil }
                == #"1001 assertions were open: "save" (12.3 s), one without a name (1 s), 999 more"#)
        termination.assertionCount = 0
        #expect(termination.openWords { _ in nil } == nil)
        for reason in TerminationReason.allCases {
            termination.reason = reason
            #expect(termination.words.contains(reason.name) && !termination.words.contains("nil"))
            #expect(termination.words.contains(reason.codeText ?? reason.name))
        }
    }

    @Test("a run that is killed while it is paused has an end of its pause")
    func paused() throws {
        let folder = try TestSupport.Folder()
        let witness = Witness()
        let host = try HostUnderTest(stateFolder: folder.file("state").path, configuration: HostConfiguration())
        host.audience = witness
        let manifest = try Places.built.get().appending(path: "fixtures.noop.json").path
        let application = try #require(Catalogue([manifest], profile: .modern).applications.first)
        let task = try #require(try host.install(application).first)
        host.decider.refreshClock()
        let run = host.submit(task, observer: nil)
        let id = try #require(host.decider.run(run)?.id)
        host.decider.engine.actions.append(.write(.pause(run)))
        try host.run { witness.isEnded }
        let record = try #require(try host.history.run(id))
        #expect(record.outcome == .succeeded && record.pauses.count == 1)
        #expect(record.pauses[0].to == record.endedAt)
        try host.close()
    }
}
