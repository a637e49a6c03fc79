import Glibc
import Testing

/// Something that a hostile plugin tries, and where it must not succeed.
struct Attack: Sendable, CustomTestStringConvertible {
    var action: [String]
    /// It succeeds when nothing confines the process: a refusal proves something.
    var succeedsFreely: Bool
    /// Where it is refused: with the kernel as it is and with the first Landlock, unless said otherwise.
    var situations: [ConfinementSituation]

    init(
        _ action: String, freely: Bool = false,
        in situations: [ConfinementSituation] = [.root, .user, .userWithFirstLandlock]
    ) {
        self.action = action.split(separator: " ").map(String.init)
        succeedsFreely = freely
        let accounts: [ConfinementSituation] =
            (situations.contains(.user) ? [.account] : [])
            + (situations.contains(.userWithFirstLandlock) ? [.accountWithFirstLandlock] : [])
        self.situations = (situations + accounts).filter(ConfinementSituation.possible.contains)
    }

    var testDescription: String { action.joined(separator: " ") }
}

@Suite("What a confined worker cannot do")
struct ConfinementAttackTests {
    static let files: [Attack] = [
        Attack("read @outside/secret", freely: true), Attack("read /etc/shadow"),
        Attack("read /etc/passwd", freely: true),
        Attack("list @outside", freely: true), Attack("list /proc", freely: true), Attack("list /", freely: true),
        Attack("write @outside/target", freely: true), Attack("append @outside/target", freely: true),
        Attack("write @granted/file", freely: true), Attack("create @granted/new", freely: true),
        Attack("create @outside/new", freely: true), Attack("create /tmp/confinement-attack"),
        Attack("create /dev/shm/confinement-attack"), Attack("temporary @outside"),
        Attack("truncate @outside/target", freely: true), Attack("chmod @outside/target", freely: true),
        Attack("chown @outside/target", freely: true), Attack("setxattr @outside/target"),
        // Any user may set the times of a file that all may write to; under the host's user these are all its files.
        Attack("utimens @outside/target", freely: true, in: [.user, .userWithFirstLandlock]),
        Attack("unlink @outside/target", freely: true), Attack("rename @outside/target @state/stolen", freely: true),
        Attack("rename @state/planted @outside/planted", freely: true),
        Attack("link @outside/secret @state/linked", freely: true), Attack("mkdir @outside/new", freely: true),
        Attack("mkfifo @outside/fifo", freely: true), Attack("mksocket @state/socket", freely: true),
        Attack("mkdevice @state/device"), Attack("createSetuid @state/file", freely: true),
        Attack("mknodSetuid @state/file", freely: true), Attack("chmodSetuid @state/file", freely: true),
        Attack("fchmodSetuid @state/file", freely: true),
        Attack("readThroughLink @outside/secret @state/link", freely: true),
        Attack("writeThroughLink @outside/target @state/link", freely: true),
        Attack("reopen @outside/secret", freely: true),
        // The manifest grants these paths, but they lead through links that an earlier worker could have made.
        Attack("read @shared/planted/secret", freely: true), Attack("write @shared/planted/folder/file", freely: true),
        Attack("write @state/planted/target", freely: true), Attack("openat2 @granted/file", freely: true),
        Attack("sharedMemory"), Attack("writeOwnMemory"), Attack("connectUnix /run/none"),
        Attack("readdressPair /run/none"), Attack("fileHandle @outside/secret"), Attack("run /bin/true", freely: true),
        Attack("runMemory /bin/true", freely: true),
    ]

    static let processes: [Attack] = [
        Attack("readProcess mem"), Attack("readProcess environ", freely: true),
        Attack("readProcess maps", freely: true),
        Attack("kill", freely: true), Attack("tgkill", freely: true), Attack("tkill", freely: true),
        Attack("killParent"),
        Attack("killAll"), Attack("sigqueue", freely: true), Attack("pidfdSignal", freely: true), Attack("pidfdGetfd"),
        Attack("setown", freely: true), Attack("setsig", freely: true), Attack("ptrace"), Attack("readMemory"),
        Attack("writeMemory"), Attack("kcmp"), Attack("prlimit", freely: true), Attack("affinity", freely: true),
        Attack("renice", freely: true), Attack("ioprio", freely: true), Attack("scheduler", freely: true),
        Attack("movePages"), Attack("setsid", freely: true), Attack("setpgid", freely: true),
        Attack("pdeathsig", freely: true), Attack("subreaper", freely: true), Attack("dumpable", freely: true),
        Attack("ptracer"), Attack("setMM"), Attack("securebits"), Attack("widePrctl", freely: true),
        Attack("cloneUser"),
        Attack("clonePid"), Attack("cloneMount"), Attack("cloneParent"), Attack("clone3User"), Attack("raiseLimit"),
        Attack("allowCore"), Attack("exhaustDescriptors"), Attack("exhaustTimers"), Attack("growFile @state/big"),
        Attack("raisePriority"), Attack("realtime"), Attack("unknownCall"),
    ]

    static let kernel: [Attack] =
        [
            "setuid", "setresuid", "setgid", "setgroups", "capset", "capbset", "mount @state", "umount @state",
            "chroot @state",
            "unshareUser", "unshare", "setns", "bpf", "perf", "keyring", "addKey", "requestKey", "uring", "userfaultfd",
            "inotify", "fanotify", "syslog", "seccomp", "oldSeccomp", "landlock", "addRule", "shm", "sem", "msg", "mq",
            "tiocsti", "ptmx", "tioclinux", "module", "quota", "clock", "hostname", "sync", "attachProgram",
        ].map { Attack($0) } + [Attack("memfd", freely: true), Attack("personality", freely: true)]

    static let network: [Attack] =
        [
            "unix", "udp", "bind", "listen", "connectOther", "netlink", "packet", "raw", "ping", "udp6", "alg", "vsock",
            "sctp", "mptcp", "smc", "fastOpen", "fastOpenMessage",
        ].map { action in
            let isPlain = ["unix", "udp", "bind", "listen", "connectOther"].contains(action)
            return Attack(action, freely: isPlain, in: [.root, .rootWithNetwork, .user, .userWithNetwork])
        } + [
            Attack("tcp", freely: true), Attack("connectGranted", freely: true),
            Attack("upperLayer", in: [.rootWithNetwork, .userWithNetwork]),
            Attack("sourceRoute", in: [.rootWithNetwork, .userWithNetwork]),
            Attack("packetOptions", freely: true, in: [.rootWithNetwork, .userWithNetwork]),
            Attack("routingHeader", in: [.rootWithNetwork, .userWithNetwork]),
        ]

    static let all = files + processes + kernel + network

    @Test("is refused", arguments: all)
    func refuses(_ attack: Attack) {
        for situation in attack.situations {
            let probe = ConfinementProbe.run(situation.options + attack.action)
            guard case .refused = probe.verdict else {
                Issue.record("\(attack.testDescription) as \(situation): \(probe.verdict)")
                continue
            }
            #expect(probe.report?["seccomp"] == "true")
        }
    }

    @Test("would succeed in a process that is not confined", arguments: all.filter(\.succeedsFreely))
    func succeedsUnconfined(_ attack: Attack) {
        let probe = ConfinementProbe.run(ConfinementSituation.user.options + ["--unconfined"] + attack.action)
        #expect(probe.verdict == .allowed)
    }

    @Test(
        "ends the worker: system calls by another numbering", arguments: ["x32", "int80"], ConfinementSituation.possible
    )
    func killsForeignCalls(_ action: String, _ situation: ConfinementSituation) {
        #if arch(x86_64)
        #expect(ConfinementProbe.run(situation.options + [action]).verdict == .killed(SIGSYS))
        #else
        #expect(ConfinementProbe.run(situation.options + ["unknownCall"]).verdict == .refused(ENOSYS))
        #endif
    }

    @Test("cannot be widened by a fork bomb: its user's processes are counted", .enabled(if: geteuid() == 0))
    func boundsProcesses() {
        #expect(ConfinementProbe.run(["--processes", "32", "exhaustProcesses"]).verdict == .refused(EAGAIN))
    }

    @Test("uses no more memory than it was given")
    func boundsMemory() {
        let options = ConfinementSituation.user.options
        #expect(
            ConfinementProbe.run(options + ["--data-size", "33554432", "exhaustMemory"]).verdict == .refused(ENOMEM))
        #expect(ConfinementProbe.run(options + ["exhaustMemory"]).verdict == .allowed)
    }
}
