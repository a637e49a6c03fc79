import Confining
import CLinux
import ConfinementAttacks
import Glibc
import Linux
import Transfer
import Wire
import Worker

/// Runs one action in a confined child, as a worker would run plugin code, and prints the result on standard output.
///
/// Lines: `report …` (what the confinement says of itself), `log …` (what the child wrote), and at last one of
/// `allowed`, `refused ERRNO`, `killed SIGNAL`, `failed SENTENCE`.
@main
struct Probe {
    let options: Options
    let scratch: Scratch
    var targets = attack_targets_t()

    static func main() {
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--keep" {
            Keeping.run(CommandLine.arguments[2])
        }
        guard let options = Options(CommandLine.arguments) else {
            print("failed usage")
            exit(64)
        }
        if options.resumption.count == 4 { resume(options) }
        if let user = options.user {
            // The order matters: without the groups first they would stay.
            guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else {
                print("failed to become user \(user)")
                exit(71)
            }
            // As a program is that this user has started.
            _ = clinux_set_dumpable(1)
        }
        // Kept free for the layouts of descriptors that the child tries.
        while open("/dev/null", O_RDWR | O_CLOEXEC) < 5 {}
        guard
            let scratch = Scratch(
                workerUser: options.account ?? (geteuid() == 0 ? workerUser : 0), ownsAll: options.account != nil)
        else {
            print("failed to make a scratch folder")
            exit(73)
        }
        setenv("SECRET_TOKEN", "secret", 1)
        var probe = Probe(options: options, scratch: scratch)
        let line = probe.run()
        scratch.remove()
        print(line)
    }

    /// In the range that no distribution gives to any user.
    private static let workerUser: UInt32 = 2_000_000_123

    private mutating func run() -> String {
        targets.victim = attack_make_victim(options.account ?? 0)
        guard targets.victim > 0, attack_listen(&targets.granted_port) >= 0, attack_listen(&targets.other_port) >= 0
        else {
            return "failed to make targets"
        }
        defer { kill(targets.victim, SIGKILL) }
        do throws(ConfinementError) {
            if options.action.first == "measure" { return try Measurement(self).run() }
            if options.unconfined { return unconfined() }
            if options.transfer { return asTransferProcess() }
            let template = try ConfinementTemplate(newestLandlock: options.newestLandlock)
            return try confined(template)
        } catch {
            return "failed \(error)"
        }
    }

    /// The plan of the worker: reads `@granted` and writes `@shared` beside its own folders. The paths through planted
    /// links must grant nothing.
    var plan: LaunchPlan {
        let isRoot = geteuid() == 0
        return LaunchPlan(
            application: "org.example.probe", library: library, sendsLibrary: true, isApplication: false, exec: false,
            identity: options.account.map { .account("probe", user: $0, group: $0, groups: [$0]) }
                ?? (isRoot ? .own(Self.workerUser) : .host()),
            stateDirectory: scratch.place("@state"), cacheDirectory: scratch.place("@cache"),
            manifestDirectory: scratch.root,
            read: ["@granted", "@absent", "@shared/planted/secret", "@state/planted/target"].map(scratch.place),
            write: ["@shared", "@shared/planted/folder"].map(scratch.place),
            ports: options.network ? [options.everyPort ? 0 : targets.granted_port] : [], namesHosts: options.network,
            holdsAddresses: options.held,
            fileSize: options.fileSize,
            dataSize: options.dataSize, processes: options.processes, placements: 0, bestEffort: options.bestEffort)
    }

    /// Any library outside of the system folders would do; a worker gets one opened by the host.
    private var library: String { scratch.place("@granted/file") }

    private func unconfined() -> String {
        let pid = clinux_fork(-1)
        if pid == 0 { act() }
        return verdict(pid)
    }

    private func asTransferProcess() -> String {
        var line: [Int32] = [-1, -1]
        guard clinux_seqpacket_pair(&line, 65536) == 0 else { return "failed to make the line" }
        let pid = clinux_fork(-1)
        if pid == 0 {
            do throws(ConfinementError) {
                try TransferConfinement.apply(user: Self.workerUser, line: line[1])
                send("report seccomp=true")
                act()
            } catch {
                send("failed \(error)", on: [3, line[1]])
                _exit(Int32(ATTACK_BROKEN))
            }
        }
        _ = close(line[1])
        let failure = serve(line[0])
        return failure ?? verdict(pid)
    }

    private func confined(_ template: borrowing ConfinementTemplate) throws(ConfinementError) -> String {
        var wire: [Int32] = [-1, -1]
        var log: [Int32] = [-1, -1]
        let file = clinux_openat(AT_FDCWD, library, O_RDONLY, 0)
        guard clinux_seqpacket_pair(&wire, 65536) == 0, clinux_pipe(&log, 1) == 0, file >= 0 else {
            return "failed to make the wire"
        }
        let prepared = options.fresh ? nil : try PreparedConfinement(plan, library: file, template: template)
        let pid = clinux_fork(-1)
        if pid == 0 {
            if options.orphan { forkOnce() }
            if options.exec { becomeFresh([wire[1], log[1], file]) }
            confineAndAct(template, laidOut([wire[1], log[1], file]), prepared)
        }
        _ = close(wire[1])
        _ = close(log[1])
        let failure = serve(wire[0])
        let line = verdict(pid)
        drain(log[0])
        return failure ?? line
    }

    /// What the child does, which ends here. The descriptors are wire, log and library.
    private func confineAndAct(
        _ template: borrowing ConfinementTemplate, _ sources: [Int32], _ prepared: PreparedConfinement?
    ) {
        do throws(ConfinementError) {
            let report =
                if let prepared {
                    try Confinement.apply(
                        prepared, template: template, wire: sources[0], log: sources[1], errors: sources[1],
                        library: sources[2])
                } else {
                    try Confinement.apply(
                        plan: plan, template: template, wire: sources[0], log: sources[1], errors: sources[1],
                        library: sources[2])
                }
            send(
                "report abi=\(report.landlockABI) seccomp=\(report.seccomp) ownUser=\(report.ownUser) "
                    + "degraded=\(report.degraded.joined(separator: ",")) pid=\(getpid()) scratch=\(scratch.root)")
            act()
        } catch {
            // Wherever the wire is by now.
            send("failed \(error)", on: [3, sources[0]])
            _exit(Int32(ATTACK_BROKEN))
        }
    }

    /// Starts the probe's executable again as the child: descriptors at 3, 4 and 5, which the probe has kept free.
    private func becomeFresh(_ descriptors: [Int32]) -> Never {
        for (index, descriptor) in descriptors.enumerated() { _ = dup2(descriptor, 3 + Int32(index)) }
        let state = [scratch.root, String(targets.victim), String(targets.granted_port), String(targets.other_port)]
        let words = ["confinement-probe", "--resume"] + state + CommandLine.arguments.dropFirst()
        var arguments = words.map { strdup($0) } + [nil]
        execve("/proc/self/exe", &arguments, environ)
        _exit(errno)
    }

    /// Goes on in the fresh process.
    private static func resume(_ options: Options) {
        var probe = Probe(options: options, scratch: Scratch(root: options.resumption[0]))
        probe.targets.victim = Int32(options.resumption[1]) ?? 0
        probe.targets.granted_port = UInt16(options.resumption[2]) ?? 0
        probe.targets.other_port = UInt16(options.resumption[3]) ?? 0
        do throws(ConfinementError) {
            let template = try ConfinementTemplate(newestLandlock: options.newestLandlock)
            probe.confineAndAct(template, [3, 4, 5], nil)
        } catch {
            probe.send("failed \(error)")
            _exit(Int32(ATTACK_BROKEN))
        }
    }

    /// Goes on in a child of this process, which ends as that does.
    private func forkOnce() {
        var end = clinux_exit_t()
        let pid = clinux_fork(-1)
        guard pid != 0 else { return }
        _ = clinux_wait(pid, &end)
        _exit(end.status)
    }

    /// Moves descriptors to the numbers of `--layout`, which the probe has kept free.
    private func laidOut(_ descriptors: [Int32]) -> [Int32] {
        guard !options.layout.isEmpty else { return descriptors }
        for (descriptor, number) in zip(descriptors, options.layout) { _ = dup2(descriptor, number) }
        return options.layout
    }

    /// Prints reports and answers pings until the child's end of the wire is closed; a failure that it reported.
    private func serve(_ wire: Int32) -> String? {
        var failure: String?
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let length = clinux_receive(wire, &bytes, bytes.count, nil, 0, nil, 0)
            guard length > 0 else { return failure }
            let text = String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
            if text == "?ping" {
                _ = clinux_send(wire, "pong", 4, nil, 0, 0)
            } else if text.hasPrefix("failed") {
                failure = text
            } else {
                print(text)
                fflush(nil)
            }
        }
    }

    private func drain(_ log: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let length = read(log, &bytes, bytes.count)
        for line in String(decoding: bytes.prefix(max(length, 0)), as: UTF8.self).split(separator: "\n") {
            print("log \(line)")
        }
    }

    private func send(_ text: String, on wires: [Int32] = [3]) {
        for wire in wires where clinux_send(wire, text, text.utf8.count, nil, 0, 0) >= 0 { return }
    }

    /// Runs the action and ends the process with its result.
    private func act() -> Never {
        let name = options.action[0]
        let first = options.action.count > 1 ? scratch.place(options.action[1]) : ""
        let second = options.action.count > 2 ? scratch.place(options.action[2]) : ""
        var targets = targets
        let result = attack_run(name, first, second, &targets)
        guard result == Int32(ATTACK_UNKNOWN) else { _exit(result) }
        while name == "wait" { pause() }
        Task { _exit(await SwiftActions.run(name) ?? result) }
        while true { pause() }
    }

    private func verdict(_ pid: Int32) -> String {
        var end = clinux_exit_t()
        guard pid > 0, clinux_wait(pid, &end) == 0 else { return "failed to fork" }
        if end.signal != 0 { return "killed \(end.signal)" }
        switch end.status {
        case 0: return "allowed"
        case Int32(ATTACK_UNKNOWN): return "failed: no such action"
        case Int32(ATTACK_BROKEN): return "failed: wrong result"
        default: return "refused \(end.status)"
        }
    }
}
