import Conditions
import Foundation
import TaskModel
import TestSupport
import Testing

@Suite("An idle machine", .serialized)
struct IdleTests {
    /// How often this thread gave up the processor to wait.
    private func waits() throws -> Int {
        let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
    }

    @Test("With all sources at work nothing wakes the loop while nothing changes")
    func sleeps() throws {
        let bus = try PrivateBus()
        for mock in PrivateBus.Mock.allCases { try bus.start(mock) }
        // Its parent is watched too: not the folder in which all tests make theirs.
        let folder = try Folder()
        let manifests = folder.file("manifests").path
        try FileManager.default.createDirectory(atPath: manifests, withIntermediateDirectories: true)
        try Namespace.run(Namespace.network) {
            var places = MonitorPlaces()
            places.bus = bus.address
            var conditions = DeviceConditions()
            let monitor = DeviceMonitor(places: places) { found, _ in conditions = found }
            monitor.delaysSleep = true
            let loop = try TestLoop(
                monitor, ClockWatch { _ in }, try ManifestWatch(folders: [manifests]) { _ in }, SystemdNotifier())
            try loop.run {
                conditions.userActive == .yes && conditions.lowPowerMode == .no && conditions.network == .none
            }
            try loop.run(for: .seconds(1))
            // Tests beside this one change the machine for a moment: one quiet time is looked for, not the first.
            var quiet = (turns: Int.max, waits: Int.max)
            for _ in 0..<4 where quiet.turns > 0 {
                let (turns, before) = (loop.turns, try waits())
                try loop.run(for: .seconds(5))
                quiet = (loop.turns - turns, try waits() - before)
            }
            #expect(quiet.turns == 0)
            #expect(quiet.waits <= 3)
        }
    }
}
