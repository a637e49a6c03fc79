package import Control
import Linux
import Setting
import TaskModel
import Workers

/// Judges what a host knows of its machine: the lines of `taskhost doctor`, in their order.
package enum MachineExamination {
    package static func checks(_ facts: MachineFacts) -> [MachineCheck] {
        [
            host(facts), kernel(facts), landlock(facts), controlGroups(facts), delegation(facts), pressure(facts),
            bus(facts), linger(facts), clock(facts), disk(facts), sleep(facts), journal(facts), limits(facts),
            metrics(facts), record(facts), manifests(facts), confinement(facts), sharedMemory(facts), ping(facts),
            refusals(facts), fleet(facts), memory(facts),
        ]
    }

    private static func host(_ facts: MachineFacts) -> MachineCheck {
        if facts.isServed { return .ok(.host, "a host serves \(facts.state)") }
        return MachineCheck(
            .host, .note, "no host serves \(facts.state)", costs: "nothing starts by itself",
            remedy: "run taskhost serve, or start the service: systemctl start taskhost")
    }

    private static func kernel(_ facts: MachineFacts) -> MachineCheck {
        guard let release = facts.kernel else {
            return MachineCheck(
                .kernel, .note, "/proc/sys/kernel/osrelease cannot be read", costs: "the version is unknown",
                remedy: "mount /proc")
        }
        let parts = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        guard parts.count == 2, (parts[0], parts[1]) < (5, 15) else { return .ok(.kernel, "Linux \(release)") }
        return MachineCheck(
            .kernel, .note, "Linux \(release)",
            costs: "once a process uses net_cls or net_prio, the kernel holds no addresses of connections",
            remedy: "use Linux 5.15 or newer")
    }

    private static func landlock(_ facts: MachineFacts) -> MachineCheck {
        guard facts.landlock > 0 else {
            return MachineCheck(
                .landlock, .fault, "the kernel has no Landlock",
                costs: "runs are refused, unless their manifest has \"enforcement\": \"bestEffort\"",
                remedy: facts.landlockIsBuilt
                    ? "add landlock to the lsm= boot parameter, and restart the machine"
                    : "use a kernel from 5.13 that is built with it (CONFIG_SECURITY_LANDLOCK=y)")
        }
        var costs: [String] = []
        if facts.landlock < 4, !facts.holdsConnections {
            costs.append("a grant of one port opens all ports (degraded: network.port)")
        }
        if facts.landlock < 6, !facts.isRoot { costs.append("workers cannot signal their own children") }
        guard !costs.isEmpty else { return .ok(.landlock, "version \(facts.landlock)") }
        return MachineCheck(
            .landlock, .note, "version \(facts.landlock)", costs: costs.joined(separator: "; "),
            remedy: "use Linux 6.12 or newer, or a root host with cgroup 2")
    }

    private static func controlGroups(_ facts: MachineFacts) -> MachineCheck {
        let tier = facts.tier.rawValue
        switch facts.tier {
        case .unified: return .ok(.controlGroups, "\(tier): the kernel meters, limits and kills process trees")
        case .hybrid, .legacy: return .ok(.controlGroups, "\(tier): the kernel meters and kills process trees")
        case .none:
            return MachineCheck(
                .controlGroups, .note, facts.shortfall.map { "\(tier): \($0)" } ?? "\(tier), as the configuration says",
                costs: "the host meters processor time by reading it, and ends trees by their process groups",
                remedy: facts.shortfall == nil
                    ? "remove \"control\" from the configuration" : facts.missing?.remedy ?? "mount cgroup 2")
        }
    }

    private static func delegation(_ facts: MachineFacts) -> MachineCheck {
        guard !facts.limitsTrees else { return .ok(.delegation, "the kernel limits memory and processes") }
        return MachineCheck(
            .delegation, .note, facts.missing?.what ?? "the configuration's control tier limits less than it could",
            costs:
                "the host reads memory and counts processes itself, and ends a tree that has too many (degraded: processes)",
            remedy: facts.missing?.remedy ?? "remove \"control\" from the configuration")
    }

    private static func pressure(_ facts: MachineFacts) -> MachineCheck {
        guard let fault = facts.pressureFault else { return .ok(.pressure, "the kernel reports pressure (PSI)") }
        return MachineCheck(
            .pressure, .note, fault, costs: "the conditions cpu and memory are unknown",
            remedy: "boot a kernel with CONFIG_PSI and psi=1; older kernels report it to a root host alone")
    }

    private static func bus(_ facts: MachineFacts) -> MachineCheck {
        if facts.busFault == nil, facts.hasLogind { return .ok(.bus, "the system bus answers, with logind") }
        return MachineCheck(
            .bus, .note, facts.busFault ?? "the system bus answers, without logind",
            costs: "the conditions that only it reports are unknown, and nothing tells of sleep before it begins",
            remedy: facts.busFault == nil
                ? "start systemd-logind (or elogind)" : "install dbus, or name its socket in DBUS_SYSTEM_BUS_ADDRESS")
    }

    private static func linger(_ facts: MachineFacts) -> MachineCheck {
        if facts.isRoot { return .ok(.linger, "not needed: root's host depends on no session") }
        if !facts.hasSystemd { return .ok(.linger, "not needed: systemd does not run here") }
        if facts.lingers { return .ok(.linger, "services of \(facts.user) outlive sessions") }
        return MachineCheck(
            .linger, .note, "services of \(facts.user) end with the last session",
            costs: "systemd ends a host that is a service of the user, and starts it at the next login",
            remedy: "loginctl enable-linger \(facts.user)")
    }

    private static func clock(_ facts: MachineFacts) -> MachineCheck {
        let found: String
        switch facts.clock {
        case .set(let span): return .ok(.clock, "synchronized, within \(span)")
        case .hidden(isSynchronized: true): return .ok(.clock, "synchronized, as systemd-timesyncd says")
        // A service with ProtectClock= may not ask the kernel. That says nothing about the clock.
        case .hidden(isSynchronized: false):
            return .ok(
                .clock, "this host's service may not ask (ProtectClock=); timedatectl tells whether it is synchronized")
        case .unset: found = "nothing synchronizes the clock"
        case .unknown(let reason): found = "the kernel does not say whether the clock is synchronized: \(reason)"
        }
        return MachineCheck(
            .clock, .note, found, costs: "schedules and dates come as early or late as the clock is wrong",
            remedy: "timedatectl set-ntp true, or run chrony; in a container: on its machine")
    }

    private static func disk(_ facts: MachineFacts) -> MachineCheck {
        guard let space = facts.space else {
            return MachineCheck(
                .disk, .fault, "the file system of \(facts.state) does not say what is free",
                costs: "the host does not learn when the disk fills", remedy: "see the kernel's log, or use --state")
        }
        let found = "\(space.free) free of \(space.total) for \(facts.state)"
        guard space.free.bytes < 4 * facts.diskFloor.bytes else { return .ok(.disk, found) }
        let isLow = space.free < facts.diskFloor
        return MachineCheck(
            .disk, isLow ? .fault : .note, found,
            costs: isLow
                ? "nothing starts that could fill it, below \(facts.diskFloor)" : "work stops below \(facts.diskFloor)",
            remedy: "free space, lower \"retention\", or use another --state")
    }

    private static func memory(_ facts: MachineFacts) -> MachineCheck {
        let found = "\(facts.memory) of memory, \(facts.concurrency) \(facts.concurrency == 1 ? "run" : "runs") at once"
        guard facts.memory < .mebibytes(1000) else { return .ok(.memory, found) }
        return MachineCheck(
            .memory, .note, found,
            costs: "a task without a budget of its own may take \(Budget.defaultMemory); some at once fill the machine",
            remedy: "give tasks a \"memory\" budget, or lower \"concurrency\" in the configuration")
    }

    private static func sleep(_ facts: MachineFacts) -> MachineCheck {
        guard !facts.sleeps.isEmpty else { return .ok(.sleep, "this machine does not sleep") }
        let ways = "the machine can sleep (\(facts.sleeps)): \(facts.sleepSource)"
        guard facts.busFault != nil || !facts.hasLogind || facts.sleepRefusal != nil else {
            return .ok(.sleep, "\(ways); work that comes due meanwhile starts when it wakes")
        }
        return MachineCheck(
            .sleep, .note, ways, costs: "sleep begins without notice: applications have no time to finish",
            remedy: facts.sleepRefusal == nil
                ? "see bus" : "let polkit allow the host's user org.freedesktop.login1.inhibit-delay-sleep")
    }

    private static func record(_ facts: MachineFacts) -> MachineCheck {
        guard let first = facts.rowFaults.first else {
            guard !facts.recordHasSums else { return .ok(.record, "no row is set aside; each page has a checksum") }
            return MachineCheck(
                .record, .note, "no row is set aside; its pages have no checksums, for an earlier version made it",
                costs: "a bit that flips on the disk may go unnoticed",
                remedy: "none is needed; the record of a new state folder has them")
        }
        let count = facts.rowFaults.count
        return MachineCheck(
            .record, .fault, "\(count == 1 ? "one part" : "\(count) parts") of the record set aside: \(first)",
            costs: "nothing is done for rows that make no sense; everything else continues",
            remedy: "see taskhost journal; restore a backup, or report this fault of taskhost")
    }

    private static func manifests(_ facts: MachineFacts) -> MachineCheck {
        guard let first = facts.unused.first else { return .ok(.manifests, "all that were found are used") }
        let count = facts.unused.count
        return MachineCheck(
            .manifests, .fault,
            "\(count == 1 ? "one manifest or task is" : "\(count) manifests or tasks are") not used: \(first)",
            costs: "none of their work starts; of a manifest that was good before, the last good form stays in force",
            remedy: "mend it: the host notices; taskhost list names all of them")
    }

    private static func confinement(_ facts: MachineFacts) -> MachineCheck {
        let capable = facts.capabilities.isEmpty ? "" : "; capabilities: " + facts.capabilities.joined(separator: ", ")
        guard let first = facts.unconfined.first else { return .ok(.confinement, "every task is confined" + capable) }
        let count = facts.unconfined.count
        let tasks = count == 1 ? "\(first) has" : "\(count) tasks, such as \(first), have"
        let found = "\(tasks) \"confinement\": \"none\": all rights of the user" + capable
        guard !facts.lackingRights.isEmpty else { return .ok(.confinement, found) }
        return MachineCheck(
            .confinement, .note, found + ", but for what the host's own service lacks",
            costs: facts.lackingRights.joined(separator: "; "),
            remedy: "loosen the service with a drop-in: taskhost import crontab --unit writes it")
    }

    private static func sharedMemory(_ facts: MachineFacts) -> MachineCheck {
        guard !facts.hasOwnMounts else {
            return .ok(.sharedMemory, "confined programs have /dev/shm, and their user's name, for themselves")
        }
        return MachineCheck(
            .sharedMemory, .note, "confined programs have no /dev/shm for themselves",
            costs: "those with POSIX semaphores or shared memory fail, such as Python's process pools"
                + (facts.isRoot ? "; whoami finds no name" : ""),
            remedy: (facts.isRoot ? "give the host the capability SYS_ADMIN" : "use a root host")
                + ", or grant these programs \"write\": [\"/dev/shm\"]")
    }

    /// Most machines let nobody, and need not.
    private static func ping(_ facts: MachineFacts) -> MachineCheck {
        guard !facts.silenced.isEmpty else { return .ok(.ping, "nothing that has the permission ping has it in vain") }
        return MachineCheck(
            .ping, .note,
            "the machine lets no group of these send ICMP echo requests: \(facts.silenced.joined(separator: ", "))",
            costs: "their permission ping is of no use", remedy: EchoGroups.remedy)
    }

    /// The host does without: it listens to the calls of programs whose last run failed.
    private static func refusals(_ facts: MachineFacts) -> MachineCheck {
        guard let lack = facts.auditLack else {
            return .ok(.refusals, "the kernel records what confinement refuses")
        }
        return .ok(.refusals, "derived from programs' calls, not recorded by the kernel: \(lack)")
    }

    private static func journal(_ facts: MachineFacts) -> MachineCheck {
        let costs = "journalctl has no fields of runs, such as TASKHOST_TASK"
        guard facts.hasJournal else {
            return MachineCheck(
                .journal, .note, "systemd's journal takes no messages", costs: costs,
                remedy: "keep standard error yourself; --log-format json has the same fields")
        }
        switch facts.log {
        case nil: return .ok(.journal, "systemd's journal takes messages")
        case .journal: return .ok(.journal, "the log goes to systemd's journal")
        case .logfmt, .json: return .ok(.journal, "the log goes to standard error, with fields")
        case .text:
            return MachineCheck(
                .journal, .note, "the log goes to standard error", costs: costs,
                remedy: "start the host as a service, or with --log-format journal")
        }
    }

    private static func limits(_ facts: MachineFacts) -> MachineCheck {
        let names = facts.degraded.keys.sorted()
        guard facts.runs > 0 else { return .ok(.limits, "no run is recorded") }
        guard !names.isEmpty else { return .ok(.limits, "enforced for each of the last \(facts.runs) runs") }
        let counts = names.map { "\($0) for \(facts.degraded[$0] ?? 0)" }.joined(separator: ", ")
        return MachineCheck(
            .limits, .note, "not enforced: \(counts) of the last \(facts.runs) runs",
            costs: names.map { DegradedLimit.advice(on: $0) }.joined(separator: "; "),
            remedy: "taskhost show RUN tells of one; Documentation/Confinement.md tells what enforces each")
    }

    private static func fleet(_ facts: MachineFacts) -> MachineCheck {
        switch facts.fleet {
        case .none: .ok(.fleet, "this host is in none")
        case .reached: .ok(.fleet, "its database answers")
        case .unreached(let since):
            MachineCheck(
                .fleet, .note, "its database has not answered since \(since.iso8601)",
                costs: "no request of the fleet starts here, and ends wait",
                remedy: "see taskhost journal for the reason, and look whether the database runs")
        }
    }

    private static func metrics(_ facts: MachineFacts) -> MachineCheck {
        guard let metrics = facts.metrics else { return .ok(.metrics, "on the control socket alone") }
        guard metrics.token == nil else { return .ok(.metrics, "at \(metrics.listen), with a token") }
        return MachineCheck(
            .metrics, .note, "at \(metrics.listen), without a token",
            costs: "every user of this machine can read the names of tasks and how they fare",
            remedy: "name a file with a secret as \"token\" of \"metrics\" in the configuration")
    }
}
