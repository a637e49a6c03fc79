package import Confining
import Linux

/// Confines the transfer process before it contacts any server: it reads untrusted data.
///
/// It may connect, read the system's certificates and the resolver's files, and use the descriptors that come with orders. It
/// opens nothing for writing, executes nothing, and sees no other process.
package enum TransferConfinement {
    /// Descriptors in addition to those of transfers: line, epoll, wake-ups, the resolver's threads.
    static let openFiles: Int32 = 65_536

    /// Where the line is afterwards.
    private static let arrangedLine: Int32 = 3

    /// Confines the calling process permanently. Afterwards descriptors 0 and 1 are `/dev/null`, 3 is the line, and all
    /// above are closed. When the host has ended, the process ends here with status 0.
    ///
    /// - Parameters:
    ///   - user: its new user when it is root.
    ///   - line: the conversation with the host.
    /// - Throws: the step that failed. The process is then confined in part and must end.
    ///
    /// *Thread*: for a process with one thread.
    package static func apply(user: UInt32, line: Int32) throws(ConfinementError) {
        let isRoot = ThisProcess.isRoot
        let parent = ThisProcess.parent
        try ConfinementError.at(.signals, Sandbox.resetSignals)
        if isRoot { try ConfinementError.at(.privileges, Sandbox.lockCapabilities) }
        try ConfinementError.at(.privileges, Sandbox.forbidNewPrivileges)
        // Signals of a terminal to the host's group are not for it.
        try ConfinementError.at(.session, Sandbox.startSession)
        // Standard error stays: the runtime reports its faults there.
        try ConfinementError.at(.descriptors) { () throws(SystemError) in
            let null = try Descriptor.open("/dev/null", .O_RDWR)
            try Sandbox.arrange([null.number, null.number, 2, line])
            // Closed already, and reused by now.
            _ = null.take()
        }
        // Connections are the limit, not workers' 256.
        ThisProcess.raiseDescriptorLimit(to: openFiles)
        try ConfinementError.at(.limits) { () throws(SystemError) in
            try Sandbox.limit(.core, to: 0)
            // Also limits POSIX timers, each of which has a queued signal.
            try Sandbox.limit(.queuedSignals, to: 1024)
        }
        try ConfinementError.at(.stateDirectory) { () throws(SystemError) in try ThisProcess.enter("/") }
        let policy = Self.policy(isRoot: isRoot)
        let filter = try FilterProgram(policy).pinned(to: ThisProcess.pid)
        let ruleset = try makeRuleset()
        if isRoot { try become(user) }
        // A change of user resets both, so they follow it. The host may have ended before the request.
        try ConfinementError.at(.lifetime, Sandbox.dieWithParent)
        if Sandbox.isOrphan(of: parent, wire: arrangedLine) { ThisProcess.exitAtOnce(0) }
        try ConfinementError.at(.lifetime, Sandbox.makeUndumpable)
        if let ruleset { try ConfinementError.at(.landlock) { () throws(SystemError) in try ruleset.enter() } }
        try filter.install()
    }

    private static func become(_ user: UInt32) throws(ConfinementError) {
        guard user != 0 else { throw ConfinementError(.user, code: Errno.EPERM.rawValue, object: "user 0") }
        try ConfinementError.at(.user, naming: "user \(user)") { () throws(SystemError) in
            try Sandbox.become(user: user, group: user)
        }
    }

    /// What workers with network may do, without what changes files by their paths; with the barriers, and with datagrams, in
    /// which the resolver asks.
    private static func policy(isRoot: Bool) -> FilterRules {
        let abi = Landlock.version
        let base = SystemCallPolicy(
            network: true, ownUser: isRoot, pinsSignals: !isRoot && !LandlockRight.signal.isKnown(to: abi),
            landlockGuardsTruncation: true)
        var decisions = base.decisions()
        for name in [
            "fork", "vfork", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat",
            "renameat2", "symlink", "symlinkat", "link", "linkat", "truncate", "chmod", "fchmodat", "chown", "lchown",
            "fchownat", "utime", "utimes", "futimesat", "utimensat", "mknod", "mknodat", "creat", "fchown", "fchmod",
        ] {
            decisions[name] = .refuse(.EPERM)
        }
        decisions["syncfs"] = .allow
        let internet = [SocketNumber.AF_INET, SocketNumber.AF_INET6]
        let protocols: [UInt32] = [0, SocketNumber.IPPROTO_TCP]
        let stream = FilterDecision.when(2, in: protocols, otherwise: .refuse(.EACCES))
        let datagram = FilterDecision.when(2, in: [0, SocketNumber.IPPROTO_UDP], otherwise: .refuse(.EACCES))
        decisions["socket"] = .when(
            0, in: internet,
            then: .when(
                1, in: [1], mask: 0xf, then: stream,
                otherwise: .when(1, in: [2], mask: 0xf, then: datagram, otherwise: .refuse(.EACCES))),
            otherwise: .refuse(.EACCES))
        return FilterRules(decisions: decisions, other: .refuse(.ENOSYS))
    }

    /// nil: the kernel has no Landlock; the filter and the own user hold alone.
    private static func makeRuleset() throws(ConfinementError) -> Landlock? {
        let abi = Landlock.version
        guard abi > 0 else { return nil }
        return try ConfinementError.at(.ruleset) { () throws(SystemError) in
            let made = try Landlock(
                files: LandlockAccess.handled(by: abi).rawValue,
                network: LandlockRight.network(by: abi, anyPort: true),
                scopes: LandlockRight.mask(of: .scopes, by: abi))
            let system = SystemGrants(runtime: SwiftRuntime.ofThisProcess)
            for grant in system.always + system.withNetwork {
                guard let file = try? Descriptor.open(grant.path, .O_PATH) else { continue }
                // Read only: of the system's files that it gets, a worker can write only to /dev/null.
                let access = grant.access.intersection([.readFile, .readFolder])
                try made.allow(file.number, access.rawValue, naming: grant.path)
            }
            return made
        }
    }
}
