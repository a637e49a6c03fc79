import CLinux
import Glibc

/// Restrictions that a process imposes on itself permanently, and its binding to its host. None of it allocates, so that
/// everything may be called after a fork. *Thread*: for a process with one thread: credentials, filters and domains belong
/// to threads.
package enum Sandbox {
    // MARK: State that a fork inherits

    /// Default dispositions for all signals, except that SIGPIPE and SIGXFSZ are ignored; none blocked.
    package static func resetSignals() throws(SystemError) { try check(clinux_reset_signals(), "sigaction") }

    package static func unblockSignals() throws(SystemError) { try check(clinux_unblock_signals(), "sigprocmask") }

    /// Root keeps its capabilities in this process; programs that it executes permanently have only SETGID, SETUID and
    /// SETPCAP.
    package static func lockCapabilities() throws(SystemError) {
        try check(clinux_lock_capabilities(0), "capabilities")
    }

    /// The same for what executes ping(8), and lets nobody gain rights by it (no_new_privs): that may be a file with the capability NET_RAW,
    /// which the kernel executes only where the bounding set has it (capabilities(7)), and it sets and clears KEEP_CAPS.
    package static func lockCapabilitiesForPing() throws(SystemError) {
        try check(clinux_lock_capabilities(1), "capabilities")
    }

    /// Root has these capabilities from now on, by their numbers, as far as it has them, and so have the programs that it executes.
    package static func keep(capabilities: UInt64) throws(SystemError) {
        try check(clinux_keep_capabilities(capabilities), "capabilities")
    }

    package static func forbidNewPrivileges() throws(SystemError) {
        try check(clinux_no_new_privileges(), "PR_SET_NO_NEW_PRIVS")
    }

    /// No process of the same user may trace this one or read its memory. A change of user resets it.
    package static func makeUndumpable() throws(SystemError) { try check(clinux_set_dumpable(0), "PR_SET_DUMPABLE") }

    /// This process of the same user may read the memory of the calling one, as far as Landlock lets it. Again after a change of user.
    package static func showMemory(to process: Int32) throws(SystemError) {
        try check(clinux_set_dumpable(1), "PR_SET_DUMPABLE")
        clinux_allow_tracing(process)
    }

    // MARK: Lifetime

    /// A new session has no terminal, and is a new process group.
    package static func startSession() throws(SystemError) {
        if setsid() < 0 { throw SystemError("setsid", code: errno) }
    }

    /// A change of user resets it.
    package static func dieWithParent() throws(SystemError) {
        try check(clinux_die_with_parent(), "PR_SET_PDEATHSIG")
    }

    /// `parent` is this process's parent no more, or the other end of the socket `wire` is closed.
    package static func isOrphan(of parent: Int32, wire: Int32) -> Bool { clinux_is_orphan(parent, wire) != 0 }

    /// Reaps the orphans among its descendants.
    package static func becomeSubreaper() throws(SystemError) {
        try check(clinux_become_subreaper(), "PR_SET_CHILD_SUBREAPER")
    }

    // MARK: Descriptors and limits

    /// Makes descriptor i a copy of `sources[i]`, eight at most, closed where the source is -1, and closes all others. The
    /// sources may be any numbers, also repeated.
    package static func arrange(_ sources: [Int32]) throws(SystemError) {
        try unsafe check(clinux_arrange_descriptors(sources, Int32(sources.count)), "close_range")
    }

    /// Soft and hard, so that it cannot be raised again.
    package static func limit(_ limit: Limit, to value: UInt64) throws(SystemError) {
        try check(clinux_set_limit(limit.number, value), limit.name)
    }

    /// Soft and hard, as far as this process may raise the hard one.
    package static func limit(_ limit: Limit, soft: UInt64, hard: UInt64) throws(SystemError) {
        try check(clinux_set_limits(limit.number, soft, hard), limit.name)
    }

    /// Bytes of private writable memory, as `Limit.data` counts them.
    package static func dataSize() throws(SystemError) -> UInt64 {
        let size = clinux_data_size()
        guard size >= 0 else { throw SystemError("read", code: Int32(-size), object: "/proc/self/statm") }
        return UInt64(size)
    }

    // MARK: Credentials and calls

    /// Root permanently becomes that user: no groups but these, no capabilities, no way back. The error's call shows which step
    /// failed.
    ///
    /// - Parameter keepsRights: a root that stays root has its capabilities.
    package static func become(
        user: UInt32, group: UInt32, groups: [UInt32] = [], keepsRights: Bool = false
    ) throws(SystemError) {
        var stage: Int32 = 0
        let result = unsafe clinux_become(user, group, groups, Int32(groups.count), keepsRights ? 1 : 0, &stage)
        guard result < 0 else { return }
        let call =
            switch Int(stage) {
            case CLINUX_STAGE_GROUPS: "setgroups"
            case CLINUX_STAGE_GROUP: "setresgid \(group)"
            case CLINUX_STAGE_USER: "setresuid \(user)"
            case CLINUX_STAGE_CAPABILITIES: "capset"
            default: "it could become root again"
            }
        throw SystemError(call, code: -result)
    }

    /// Installs a filter of system calls for the whole process.
    ///
    /// - Parameter instructions: in the layout of `struct sock_filter`.
    package static func install(filter instructions: [UInt64]) throws(SystemError) {
        try unsafe check(clinux_seccomp_install(instructions, UInt32(instructions.count)), "seccomp")
    }
}

extension Sandbox {
    /// Limits of resources (setrlimit(2)).
    package enum Limit: Sendable {
        case processes, lockedMemory, queuedSignals, messageQueues, nice, realtime, core, stack, openFiles, fileSize,
            data

        fileprivate var number: Int32 {
            let number =
                switch self {
                case .processes: CLINUX_LIMIT_PROCESSES
                case .lockedMemory: CLINUX_LIMIT_LOCKED_MEMORY
                case .queuedSignals: CLINUX_LIMIT_QUEUED_SIGNALS
                case .messageQueues: CLINUX_LIMIT_MESSAGE_QUEUES
                case .nice: CLINUX_LIMIT_NICE
                case .realtime: CLINUX_LIMIT_REALTIME
                case .core: CLINUX_LIMIT_CORE
                case .stack: CLINUX_LIMIT_STACK
                case .openFiles: CLINUX_LIMIT_OPEN_FILES
                case .fileSize: CLINUX_LIMIT_FILE_SIZE
                case .data: CLINUX_LIMIT_DATA
                }
            return Int32(number)
        }

        fileprivate var name: String {
            switch self {
            case .processes: "RLIMIT_NPROC"
            case .lockedMemory: "RLIMIT_MEMLOCK"
            case .queuedSignals: "RLIMIT_SIGPENDING"
            case .messageQueues: "RLIMIT_MSGQUEUE"
            case .nice: "RLIMIT_NICE"
            case .realtime: "RLIMIT_RTPRIO"
            case .core: "RLIMIT_CORE"
            case .stack: "RLIMIT_STACK"
            case .openFiles: "RLIMIT_NOFILE"
            case .fileSize: "RLIMIT_FSIZE"
            case .data: "RLIMIT_DATA"
            }
        }
    }
}
