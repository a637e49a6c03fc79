import Conditions
import Control
import Engine
import JSON
import Linux
import Record
import TaskModel
import Workers

// What the machine gives to the host, and what it lacks.
extension HostAPI {
    /// Runs that are looked at for limits that were not enforced.
    private static let runsLookedAt = 200

    func doctorDocument() throws(Problem) -> JSONOutput {
        let checks = MachineExamination.checks(try machineFacts())
        return .object([
            "serving": .bool(host.place.schedules), "checks": .array(checks.map(\.json)),
        ])
    }

    private func machineFacts() throws(Problem) -> MachineFacts {
        let runs = try PastAPI.reading(
            host.history.runs(matching: RunFilter(), before: nil, limit: Self.runsLookedAt)
        ).elements
        let launcher = host.workers.launcher
        let monitor = host.device.monitor
        var facts = MachineFacts()
        facts.state = examinedState ?? host.place.state.path
        facts.isServed = host.place.schedules
        facts.kernel = Self.line("/proc/sys/kernel/osrelease")
        facts.isRoot = ThisProcess.isRoot
        facts.landlock = Landlock.version
        facts.tier = launcher.groups.tier
        facts.shortfall = launcher.groups.shortfalls.first?.description
        facts.holdsConnections = launcher.groups.holdsConnections
        facts.limitsTrees = HostGroups.isComplete(launcher.groups)
        facts.missing = launcher.missing
        facts.pressureFault = monitor?.pressureFault()
        facts.busFault = monitor?.busFault
        facts.hasLogind = monitor?.hasLogind ?? false
        facts.hasSystemd = FileSystem.allows(.exists, to: "/run/systemd/system")
        facts.user = Account.name(of: ThisProcess.user) ?? "\(ThisProcess.user)"
        facts.lingers = FileSystem.allows(.exists, to: "/var/lib/systemd/linger/\(facts.user)")
        facts.clock = Self.clock()
        facts.space = Disk.space(for: facts.state).map { (ByteCount(bytes: $0.free), ByteCount(bytes: $0.total)) }
        facts.diskFloor = host.decider.engine.limits.diskFloor ?? Disk.defaultFloor(of: host.place.state.path)
        facts.sleeps = Self.line("/sys/power/state") ?? ""
        facts.sleepSource = host.device.state.sources[.sleep] ?? "unknown"
        facts.sleepRefusal = monitor?.sleepFinding.delayRefusal
        facts.log = host.runs.announcer.log?.format
        facts.hasJournal = FileSystem.allows(.write, to: HostLog.journalSocket)
        facts.metrics = host.place.configuration.metrics
        facts.rowFaults = host.keeper.rowFaults.map(\.sentence)
        facts.runs = runs.count
        for name in runs.flatMap(\.degraded) { facts.degraded[name, default: 0] += 1 }
        return facts
    }

    private static func line(_ path: String) -> String? {
        (try? FileText.read(path))?.split(separator: "\n").first.map(String.init)
    }

    private static func clock() -> MachineFacts.ClockSetting {
        do throws(SystemError) {
            return try Clock.error().map { .set(within: $0) } ?? .unset
        } catch {
            return .unknown("\(error)")
        }
    }
}
