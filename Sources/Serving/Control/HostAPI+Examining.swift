import Conditions
import Control
import Engine
import Host
import JSON
import Linux
import Record
import Setting
import TaskModel
import Workers

// What the machine gives to the host, and what it lacks.
extension HostAPI {
    /// Runs that are looked at for limits that were not enforced.
    private static let runsLookedAt = 200

    /// Reads the runs a portion a turn; then a thread looks at the machine.
    func examine(_ exchange: Exchange) throws(Problem) {
        let examiner = try takeExaminer()
        var before: ULID?
        var (runs, degraded) = (0, [String: Int]())
        try longAnswers.begin(for: exchange) { [unowned self] () throws(Problem) in
            let page = try PastAPI.reading(
                host.history.runs(
                    matching: RunFilter(), before: before, limit: min(PastAPI.rows, Self.runsLookedAt - runs)))
            runs += page.elements.count
            for name in page.elements.flatMap(\.degraded) { degraded[name, default: 0] += 1 }
            before = page.next
            guard before == nil || runs >= Self.runsLookedAt else { return .more }
            var facts = machineFacts()
            (facts.runs, facts.degraded) = (runs, degraded)
            try examiner.ask(facts, host.device.monitor?.pressureTrial, for: exchange)
            return .passedOn
        }
    }

    /// Made at the first question: most hosts are never asked.
    private func takeExaminer() throws(Problem) -> Examiner {
        if let examiner { return examiner }
        do throws(HostError) {
            let new = try Examiner(isServing: host.place.schedules)
            try host.add(new)
            examiner = new
            return new
        } catch {
            throw Problem(500, "system", title: "The machine cannot be examined", detail: error.sentence)
        }
    }

    /// What the host knows without a look at the machine.
    private func machineFacts() -> MachineFacts {
        let launcher = host.workers.launcher
        let monitor = host.device.monitor
        var facts = MachineFacts()
        facts.state = examinedState ?? host.place.state.path
        facts.isServed = host.place.schedules
        facts.tier = launcher.groups.tier
        facts.shortfall = launcher.groups.shortfalls.first?.description
        facts.holdsConnections = launcher.groups.holdsConnections
        facts.limitsTrees = HostGroups.isComplete(launcher.groups)
        facts.missing = launcher.missing
        facts.concurrency = host.place.configuration.concurrency
        facts.busFault = monitor?.busFault
        facts.hasLogind = monitor?.hasLogind ?? false
        facts.diskFloor = host.decider.limits.diskFloor ?? facts.diskFloor
        facts.sleepSource = host.device.state.sources[.sleep] ?? "unknown"
        facts.sleepRefusal = monitor?.sleepFinding.delayRefusal
        facts.log = host.runs.announcer.log?.format
        facts.metrics = host.place.configuration.metrics
        if let fleet = host.fleet { facts.fleet = fleet.unreachedSince.map { .unreached(since: $0) } ?? .reached }
        facts.rowFaults = host.keeper.rowFaults.map(\.sentence)
        facts.recordHasSums = host.keeper.hasSums
        facts.unused = manifestEntries().flatMap(\.unused)
        for application in host.installed.applications where application.definition.confinement == .unconfined {
            facts.unconfined += application.definition.tasks.map(\.identifier)
        }
        let (accounts, echoGroups) = (AccountRules(host.place.configuration), EchoGroups.range)
        facts.silenced = host.installed.applications
            .filter { $0.definition.permissions.ping && !accounts.mayPing(as: $0.account, echoGroups) }
            .map(\.definition.identifier)
        facts.capabilities = host.installed.applications.map(\.definition)
            .filter { !$0.permissions.capabilities.isEmpty }
            .map { "\($0.identifier) has " + $0.permissions.capabilities.map(\.rawValue).joined(separator: " ") }
        return facts
    }
}

extension MachineFacts {
    /// Adds what the machine itself says: for a thread of its own, because directories of users, disks and the kernel may take
    /// their time.
    mutating func look() {
        kernel = Self.line("/proc/sys/kernel/osrelease")
        if let bytes = ProcessMemory.ofMachine { memory = ByteCount(bytes: bytes) }
        isRoot = ThisProcess.isRoot
        landlock = Landlock.version
        landlockIsBuilt = Landlock.isBuilt
        hasSystemd = FileSystem.allows(.exists, to: "/run/systemd/system")
        user = Account.name(of: ThisProcess.user) ?? "\(ThisProcess.user)"
        lingers = FileSystem.allows(.exists, to: "/var/lib/systemd/linger/\(user)")
        clock = Self.wallClock()
        space = StateSpace.space(for: state).map { (ByteCount(bytes: $0.free), ByteCount(bytes: $0.total)) }
        sleeps = Self.line("/sys/power/state") ?? ""
        if !unconfined.isEmpty { lackingRights = Self.lackingRights(isRoot: isRoot) }
        hasOwnMounts = OwnMounts.areAllowed
        auditLack = Self.auditLack(isRoot: isRoot, landlock: landlock)
        hasJournal = FileSystem.allows(.write, to: HostLog.journalSocket)
    }

    private static func auditLack(isRoot: Bool, landlock: Int32) -> String? {
        guard landlock >= RecordedDenials.landlock else {
            return "Landlock \(landlock) makes no records (version \(RecordedDenials.landlock): Linux 6.15)"
        }
        guard isRoot else { return "an ordinary user may not read the audit log" }
        guard RecordedDenials.mayRead else { return "the host lacks the capability AUDIT_READ" }
        return AuditSocket.isOn == false ? "auditing is off (auditctl -e 1)" : nil
    }

    /// What programs inherit from the host, by proc_pid_status(5) and capabilities(7).
    private static func lackingRights(isRoot: Bool) -> [String] {
        let fields = ProcessFields(of: "self")
        var lacking: [String] = []
        if fields?["NoNewPrivs"] == "1" {
            lacking.append("set-user-ID programs, such as sudo and mail programs, do not become their owner")
        }
        if isRoot, let bound = (fields?["CapBnd"]).flatMap({ UInt64($0, radix: 16) }),
            let last = line("/proc/sys/kernel/cap_last_cap").flatMap({ UInt64($0) }), last < 64,
            bound != UInt64.max >> (63 - last)
        {
            lacking.append("root's programs lack capabilities")
        }
        if fields?["Seccomp"] == "2" { lacking.append("system calls are filtered") }
        return lacking
    }

    private static func line(_ path: String) -> String? {
        (try? FileText.read(path))?.split(separator: "\n").first.map(String.init)
    }

    private static func wallClock() -> ClockSetting {
        do throws(SystemError) {
            return try Clock.error().map { .set(within: $0) } ?? .unset
        } catch {
            // adjtimex(2) refuses nobody who only reads; a filter of system calls does, such as that of ProtectClock=.
            guard error.code == .EPERM else { return .unknown("\(error)") }
            return .hidden(isSynchronized: (try? FileSystem.facts(ofPath: synchronizedMark)) != nil)
        }
    }

    /// systemd-timesyncd.service(8) makes it when the clock is synchronized.
    private static let synchronizedMark = "/run/systemd/timesync/synchronized"
}
