import Conditions
import Engine
import Foundation
import Record
import Store
import TaskModel
import TestSupport
import Testing
@testable import Host
@testable import Setting

/// The machine sleeps no sooner than what led to it is on record.
@Suite("Sleep and the record")
struct SleepRecordTests {
    /// A monitor of that bus alone, in a host that begins to serve.
    private func watch(_ host: HostUnderTest, _ bus: PrivateBus) throws -> DeviceMonitor {
        var places = MonitorPlaces()
        (places.powerSupplies, places.thermalZones) = ("/nonexistent/power", "/nonexistent/thermal")
        (places.pressure, places.bus) = ("/nonexistent/pressure", bus.address)
        let monitor = DeviceMonitor(places: places) { [unowned host] in host.device.observe($0, sources: $1) }
        host.device.monitor = monitor
        monitor.delaysSleep = true
        try host.add(monitor)
        host.decider.refreshClock()
        host.begin()
        return monitor
    }

    @Test("Background work keeps the machine awake for the profile's time and no longer, and again after a pause")
    func awake() throws {
        let bus = try PrivateBus()
        try bus.start(.logind)
        let folder = try TestSupport.Folder()
        let library = try Places.built.get().appending(path: "libsleeper.so").path
        let manifest = try folder.write(
            "m/org.taskhost.fixtures.sleeper.json",
            """
            {"identifier": "org.taskhost.fixtures.sleeper", "library": "\(library)", "tasks": {
             "org.taskhost.fixtures.sleeper": {"kind": "appRefresh", "handler": "sleeper",
             "budget": {"wallClock": "60s", "grace": "1s"}, "settings": {"fixture": "sleeper"}}}}
            """)
        var profile = LimitsProfile.ios6
        profile.backgroundTime = .milliseconds(300)
        var configuration = HostConfiguration()
        configuration.choose(profile)
        let host = try HostUnderTest(
            stateFolder: folder.file("state").path, configuration: configuration, schedules: true)
        let application = try #require(Catalogue([manifest.path], profile: profile).applications.first)
        let task = try #require(try host.install(application).first)
        let monitor = try watch(host, bus)
        try host.add(AwakeKeeper(profile, monitor, host.decider, host.runs.announcer))
        try host.run { monitor.isSettled }
        for _ in 0..<2 {
            let run = host.submit(task, observer: nil)
            try host.run { monitor.sleepFinding.isBlocked }
            try host.run { !monitor.sleepFinding.isBlocked }
            let isBusy = host.decider.isBusyInBackground
            #expect(isBusy, "work continues")
            host.cancel(run)
            try host.run { !host.decider.isBusyInBackground }
        }
        try host.close()
    }

    @Test("The lock is given back when the turn that put all work to rest is durable, and not before")
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
        let monitor = try watch(host, bus)
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
