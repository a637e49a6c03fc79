import Conditions
import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing
@testable import Host

/// The machine sleeps no sooner than what led to it is on record.
@Suite("Sleep and the record")
struct SleepRecordTests {
    @Test("The lock is given back when the turn that put everybody to rest is durable, and not before")
    func durable() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let folder = try TestSupport.Folder()
        var late: LateStore?
        var isSlow = false
        let host = try HostUnderTest(
            stateFolder: folder.file("state").path, configuration: HostConfiguration(), schedules: true,
            openRecord: { path, makeRoom, say throws(HostError) in
                let store = try RecordOpening.open(path, makeRoom, say)
                late = try? LateStore(store) { _ in .done(after: isSlow ? 30 : 0) }
                return late ?? store
            })
        var places = MonitorPlaces()
        (places.powerSupplies, places.thermalZones) = ("/nonexistent/power", "/nonexistent/thermal")
        (places.pressure, places.bus) = ("/nonexistent/pressure", bus.address)
        let monitor = DeviceMonitor(places: places) { host.device.observe($0, sources: $1) }
        host.device.monitor = monitor
        monitor.delaysSleep = true
        try host.add(monitor)
        host.decider.refreshClock()
        host.begin()
        let store = try #require(late)
        try host.run { monitor.isSettled && monitor.sleepFinding.isHeld && !store.isBehind }

        isSlow = true
        var turns = 0
        func isOnRecord() throws -> Bool {
            try store.kept.reader.deviceLog(before: nil, limit: 100).elements.contains {
                $0.condition == ConditionName.sleep && $0.value == "on"
            }
        }
        try bus.prepareForSleep(true)
        try host.run {
            if monitor.sleepFinding.isAsleep && monitor.sleepFinding.isHeld { turns += 1 }
            return monitor.sleepFinding.isAsleep && !monitor.sleepFinding.isHeld
        }
        #expect(turns > 10 && !store.isBehind, "\(turns)")
        #expect(try isOnRecord())
        isSlow = false
        try bus.prepareForSleep(false)
        try host.run { host.device.state.effective.isAsleep == .no && monitor.sleepFinding.isHeld }
        try host.close()
    }
}
