import Engine
import Foundation
import Host
import Setting
import TaskModel
import TestSupport
import Testing
import Wire

/// No verb cancels a run of another process yet: these tests are the host themselves.
@Suite("A person who cancels")
struct CancelTests {
    /// Hears of one run.
    private final class Listener: RunObserver {
        var outcome: Outcome?
        var reason: Reason?

        func run(_ run: RunHandle, didEnd slot: RunSlot) {
            outcome = slot.outcome
            reason = slot.reason
        }
        func run(_ run: RunHandle, didProgress report: ProgressReport) {}
        func run(_ run: RunHandle, didPrint bytes: ArraySlice<UInt8>) {}
    }

    @Test(
        "warns the handler, and the run ends as cancelled whether it stops or has to be killed",
        arguments: ["fixtures.sleeper", "hostile.spin"])
    func running(_ fixture: String) throws {
        let folder = try Folder()
        let manifest = try Places.built.get().appending(path: "\(fixture).json").path
        let catalogue = Catalogue([manifest], profile: .modern)
        let host = try HostUnderTest(stateFolder: folder.file("state").path, configuration: HostConfiguration())
        let application = try #require(catalogue.applications.first)
        let task = try #require(try host.install(application).first)
        let listener = Listener()
        host.decider.refreshClock()
        let run = host.submit(task, observer: listener)
        try host.run { host.decider.run(run)?.phase == .running || listener.outcome != nil }
        host.cancel(run)
        try host.run { listener.outcome != nil }
        #expect(listener.outcome == .cancelled)
        #expect(listener.reason == .userCancelled)
        try host.close()
    }

    @Test("ends a run that has not begun at once")
    func waiting() throws {
        let folder = try Folder()
        let manifest = try Places.built.get().appending(path: "fixtures.sleeper.json").path
        let host = try HostUnderTest(stateFolder: folder.file("state").path, configuration: HostConfiguration())
        let catalogue = Catalogue([manifest], profile: .modern)
        let application = try #require(catalogue.applications.first)
        let task = try #require(try host.install(application).first)
        let listener = Listener()
        host.decider.refreshClock()
        let run = host.submit(task, observer: listener)
        host.cancel(run)
        try host.run { listener.outcome != nil }
        #expect(listener.outcome == .cancelled)
        try host.close()
    }
}
