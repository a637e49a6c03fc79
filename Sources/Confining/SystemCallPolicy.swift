import Linux

/// Which system calls a worker may make.
///
/// An allow-list: a call that is in no table fails with ENOSYS, so that new calls of future kernels are blocked and the C
/// library falls back to an older one. Known calls that are refused fail with EPERM, which is clearer in a log.
package struct SystemCallPolicy: Hashable, Sendable {
    /// TCP connections are granted.
    package var network: Bool
    /// The worker runs as its own user, so that ownership lets it change only files that it created.
    package var ownUser: Bool
    /// Neither Landlock nor the user keeps signals inside: they may go to the worker's process alone.
    package var pinsSignals: Bool
    /// Landlock watches over truncate(2).
    package var landlockGuardsTruncation: Bool
    /// It may change modes, owners and times of the files of its user, wherever they are.
    package var changesAttributes = false
    /// It has capabilities: the kernel decides about what changes users, groups and capabilities.
    package var hasCapabilities = false
    /// The worker's handlers are programs: they may execute what Landlock lets them, and manage processes of their own.
    package var runsPrograms = false
    /// Unix sockets are granted: a broker outside of the confinement makes each connection. Not together with `network`.
    package var hasBroker = false
    /// ICMP echo is granted: the broker makes its sockets. Not together with `network`.
    package var sendsEcho = false
    /// Nothing can be created, and no file can grow by a call that names its place: as on a full disk.
    package var diskIsFull = false

    package init(network: Bool, ownUser: Bool, pinsSignals: Bool, landlockGuardsTruncation: Bool) {
        self.network = network
        self.ownUser = ownUser
        self.pinsSignals = pinsSignals
        self.landlockGuardsTruncation = landlockGuardsTruncation
    }

    /// The filter of the zygote: what it and any worker may do. Workers inherit it.
    package var base: FilterRules {
        var rules = FilterRules(decisions: mostPermissive.decisions(), other: .refuse(.ENOSYS))
        for name in Self.neededBeforePlugins { rules.decisions[name] = .allow }
        return rules
    }

    /// The filter that a worker adds: what `base` allows it too much. The kernel obeys the stricter one. It is a tenth of
    /// the whole, and so is the time to install it, which every start of a worker pays.
    package var addition: FilterRules { addition(to: self) }

    /// The same where the zygote's policy is another one.
    package func addition(to zygote: SystemCallPolicy) -> FilterRules {
        let base = zygote.base.decisions
        return FilterRules(decisions: decisions().filter { base[$0.key] != $0.value }, other: .allow)
    }

    /// The worker's user has other files and processes as well.
    package mutating func share(landlockABI: Int32) {
        ownUser = false
        pinsSignals = !LandlockRight.signal.isKnown(to: landlockABI)
    }

    private var mostPermissive: SystemCallPolicy {
        var policy = self
        policy.network = true
        policy.pinsSignals = false
        policy.changesAttributes = true
        policy.runsPrograms = true
        policy.diskIsFull = false
        return policy
    }

    /// The whole filter of a process that somebody is told of: it inherits none.
    package var whole: FilterRules { FilterRules(decisions: decisions(), other: .refuse(.ENOSYS)) }

    /// The final decision for each named call. Names that a machine lacks are ignored.
    package func decisions() -> [String: FilterDecision] {
        var table: [String: FilterDecision] = [:]
        for name in Self.allowed { table[name] = .allow }
        for name in Self.refused { table[name] = .refuse(.EPERM) }
        // glibc falls back to clone, whose flags are in a register; a filter cannot read those of clone3. The same applies
        // to openat2.
        for name in ["clone3", "openat2"] { table[name] = .refuse(.ENOSYS) }
        if runsPrograms { table.merge(Self.ofPrograms) { $1 } }
        for part in [processes(), files(), ownership(), sockets(), signals()] {
            table.merge(part) { $1 }
        }
        if hasBroker { table.merge(Self.brokered) { $1 } }
        if sendsEcho { table.merge(echo(beside: table["socket"])) { $1 } }
        if hasCapabilities {
            table["setgroups"] = .allow
        }
        if diskIsFull { table.merge(Self.fullDisk) { $1 } }
        return table
    }
}

/// Decisions by name, and that for all other calls.
package struct FilterRules: Hashable, Sendable {
    package var decisions: [String: FilterDecision]
    package var other: FilterDecision

    package init(decisions: [String: FilterDecision], other: FilterDecision) {
        self.decisions = decisions
        self.other = other
    }
}

extension SystemCallPolicy {
    /// Calls that create workers, by fork and by exec, and confine them; plugins may not use them.
    private static let neededBeforePlugins = words(
        """
        clone3 execve memfd_create openat2 prctl setsid setpgid setgroups setresgid setresuid setgid setuid capset seccomp
        landlock_create_ruleset landlock_add_rule landlock_restrict_self unshare mount
        """)

    /// Regardless of arguments. Calls of the Swift runtime, Foundation, Dispatch, libcurl and SQLite, and similar ones
    /// that act on the process itself.
    private static let allowed: [String] =
        words(
            """
            brk mmap munmap mremap mprotect madvise mincore msync mlock mlock2 munlock mlockall munlockall membarrier
            pkey_alloc pkey_free pkey_mprotect
            """)
        + words(
            """
            read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3
            fstat stat lstat newfstatat fstatat64 statx statfs fstatfs access faccessat faccessat2 readlink readlinkat
            getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 symlink
            symlinkat link linkat ftruncate fallocate fsync fdatasync sync_file_range fadvise64 readahead sendfile
            copy_file_range splice tee flock umask pipe pipe2 getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
            """)
        + words(
            """
            poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd
            eventfd2 signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime
            """)
        + words(
            """
            fork vfork exit exit_group wait4 waitid getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid
            getgroups getpgrp getpgid getsid set_tid_address set_robust_list get_robust_list rseq arch_prctl futex
            futex_waitv futex_wait futex_wake futex_requeue sched_yield sched_getaffinity sched_getparam
            sched_getscheduler sched_getattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval
            getpriority getrlimit setrlimit getrusage times sysinfo uname getcpu capget getrandom pidfd_open
            restart_syscall riscv_flush_icache
            """)
        + words(
            """
            nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time timer_create timer_settime timer_gettime
            timer_getoverrun timer_delete getitimer setitimer alarm pause rt_sigaction rt_sigprocmask rt_sigreturn
            rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
            """)
        + words("shutdown getsockname getpeername getsockopt recvfrom recvmsg recvmmsg")

    /// Known and refused. Most would be refused by the missing capabilities too; the filter also keeps their code, a
    /// frequent source of kernel faults, out of reach.
    private static let refused: [String] =
        words(
            """
            execve execveat memfd_create memfd_secret ptrace process_vm_readv process_vm_writev process_madvise
            process_mrelease pidfd_getfd kcmp userfaultfd perf_event_open bpf seccomp landlock_create_ruleset
            landlock_add_rule landlock_restrict_self modify_ldt personality uselib lookup_dcookie syslog
            """)
        + words(
            """
            setsid setpgid setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset
            sched_setparam sched_setattr mbind set_mempolicy set_mempolicy_home_node
            migrate_pages move_pages
            """)
        + words(
            """
            mount umount umount2 pivot_root chroot unshare setns move_mount open_tree fsopen fsconfig fsmount fspick
            mount_setattr swapon swapoff quotactl quotactl_fd acct reboot kexec_load kexec_file_load init_module
            finit_module delete_module create_module iopl ioperm sethostname setdomainname settimeofday clock_settime
            clock_adjtime adjtimex vhangup sync syncfs vmsplice name_to_handle_at open_by_handle_at fanotify_init
            fanotify_mark inotify_init inotify_init1 inotify_add_watch inotify_rm_watch nfsservctl
            """)
        + words(
            """
            io_uring_setup io_uring_enter io_uring_register io_setup io_submit keyctl add_key request_key shmget shmat shmdt
            shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_timedsend
            mq_timedreceive mq_notify mq_getsetattr bind listen accept accept4
            """)

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
    }
}
