import CLinux
package import Confining
import Glibc
import Linux

/// Confines the transfer process before it speaks with anybody: it reads what strangers send.
///
/// It may connect, read the system's certificates and the resolver's files, and use the descriptors that come with orders. It
/// opens nothing for writing, executes nothing, and sees no other process.
package enum TransferConfinement {
    /// Descriptors beside those of transfers: line, epoll, wake-ups, the resolver's threads.
    static let openFiles: Int32 = 65_536

    /// Where the line lies afterwards.
    private static let arrangedLine: Int32 = 3

    /// Confines the calling process for good. Afterwards descriptors 0 and 1 are `/dev/null`, 3 is the line, and all above are
    /// closed. When the host is gone, the process ends here with status 0.
    ///
    /// - Parameters:
    ///   - user: who it becomes when it is root.
    ///   - line: the conversation with the host.
    /// - Throws: the step that failed. The process is then confined in part and must end.
    ///
    /// *Thread*: for a process with one thread.
    package static func apply(user: UInt32, line: Int32) throws(ConfinementError) {
        let isRoot = geteuid() == 0
        let parent = getppid()
        try check(clinux_reset_signals(), .signals, "sigaction")
        if isRoot { try check(clinux_lock_capabilities(), .privileges, "capabilities") }
        try check(clinux_no_new_privileges(), .privileges, "PR_SET_NO_NEW_PRIVS")
        // What a terminal says to the host's group is not for it.
        guard setsid() >= 0 else { throw ConfinementError(.session, code: errno, object: "setsid") }
        // Standard error stays: a fault of the runtime says there what it was.
        let null = clinux_open("/dev/null", O_RDWR, 0)
        guard null >= 0 else { throw ConfinementError(.descriptors, code: -null, object: "/dev/null") }
        try check(clinux_arrange_descriptors([null, null, 2, line], 4), .descriptors, "")
        // Connections are the limit, not workers' 256.
        _ = clinux_raise_descriptor_limit(openFiles)
        try check(clinux_set_limit(Int32(CLINUX_LIMIT_CORE), 0), .limits, "RLIMIT_CORE")
        // Also bounds POSIX timers, each of which holds a queued signal.
        try check(clinux_set_limit(Int32(CLINUX_LIMIT_QUEUED_SIGNALS), 1024), .limits, "RLIMIT_SIGPENDING")
        guard chdir("/") == 0 else { throw ConfinementError(.stateDirectory, code: errno, object: "/") }
        let policy = Self.policy(isRoot: isRoot)
        let filter = try FilterProgram(policy).pinned(to: getpid())
        let ruleset = try makeRuleset()
        if isRoot { try become(user) }
        // A change of user resets both, so they come after it. The host may have ended before it was asked for.
        try check(clinux_die_with_parent(), .lifetime, "PR_SET_PDEATHSIG")
        if clinux_is_orphan(parent, arrangedLine) != 0 { _exit(0) }
        try check(clinux_set_dumpable(0), .lifetime, "PR_SET_DUMPABLE")
        if let ruleset {
            try check(clinux_landlock_restrict(ruleset), .landlock, "landlock_restrict_self")
            close(ruleset)
        }
        try filter.install()
    }

    private static func become(_ user: UInt32) throws(ConfinementError) {
        guard user != 0 else { throw ConfinementError(.user, code: EPERM, object: "user 0") }
        var stage: Int32 = 0
        try check(clinux_become(user, user, &stage), .user, "user \(user)")
    }

    /// What workers with network may do, without what changes files by their paths; with the barriers, and with datagrams, in
    /// which the resolver asks.
    private static func policy(isRoot: Bool) -> FilterRules {
        let abi = clinux_landlock_abi()
        let base = SystemCallPolicy(
            network: true, ownUser: isRoot, pinsSignals: !isRoot && abi < 6, landlockGuardsTruncation: true)
        var decisions = base.decisions()
        for name in [
            "fork", "vfork", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat",
            "renameat2", "symlink", "symlinkat", "link", "linkat", "truncate", "chmod", "fchmodat", "chown", "lchown",
            "fchownat", "utime", "utimes", "futimesat", "utimensat", "mknod", "mknodat", "creat", "fchown", "fchmod",
        ] {
            decisions[name] = .refuse(EPERM)
        }
        decisions["syncfs"] = .allow
        let internet = [UInt32(AF_INET), UInt32(AF_INET6)]
        let protocols: [UInt32] = [0, UInt32(IPPROTO_TCP)]
        let stream = FilterDecision.when(2, in: protocols, otherwise: .refuse(EACCES))
        let datagram = FilterDecision.when(2, in: [0, UInt32(IPPROTO_UDP)], otherwise: .refuse(EACCES))
        decisions["socket"] = .when(
            0, in: internet,
            then: .when(
                1, in: [1], mask: 0xf, then: stream,
                otherwise: .when(1, in: [2], mask: 0xf, then: datagram, otherwise: .refuse(EACCES))),
            otherwise: .refuse(EACCES))
        return FilterRules(decisions: decisions, other: .refuse(ENOSYS))
    }

    /// nil: the kernel has no Landlock; the filter and the own user hold alone.
    private static func makeRuleset() throws(ConfinementError) -> Int32? {
        let abi = clinux_landlock_abi()
        guard abi > 0 else { return nil }
        let made = clinux_landlock_ruleset(
            LandlockAccess.handled(by: abi).rawValue, abi >= 4 ? LandlockAccess.network(anyPort: true) : 0,
            abi >= 6 ? LandlockAccess.scopes : 0)
        guard made >= 0 else { throw ConfinementError(.ruleset, code: -made, object: "landlock_create_ruleset") }
        let system = SystemGrants()
        for grant in system.always + system.withNetwork {
            let file = clinux_open_path(grant.path)
            guard file >= 0 else { continue }
            defer { close(file) }
            // To read: nothing that a worker may write in is among what it gets of the system but /dev/null.
            let access = grant.access.intersection([.readFile, .readFolder])
            try check(clinux_landlock_allow_file(made, file, access.rawValue), .ruleset, grant.path)
        }
        return made
    }

    private static func check(
        _ result: Int32, _ step: ConfinementError.Step, _ object: String
    ) throws(ConfinementError) {
        guard result >= 0 else { throw ConfinementError(step, code: -result, object: object) }
    }
}
