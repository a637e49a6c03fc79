import Linux

// Decisions that depend on arguments. Numbers without a name in Glibc's Swift module carry that of the header.
extension SystemCallPolicy {
    func processes() -> [String: FilterDecision] {
        // CLONE_NEWTIME, NEWNS, PARENT, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET: a child in another namespace, or
        // one that is not below the worker.
        let cloneEscapes: UInt32 =
            0x80 | 0x2_0000 | 0x8000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000
            | 0x2000_0000 | 0x4000_0000
        // PR_GET_PDEATHSIG, GET_DUMPABLE, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, GET_SECUREBITS, SET_TIMERSLACK,
        // GET_TIMERSLACK, GET_CHILD_SUBREAPER, SET_NO_NEW_PRIVS, GET_NO_NEW_PRIVS, GET_TID_ADDRESS, SET_THP_DISABLE,
        // GET_THP_DISABLE, SET_VMA (names of mappings)
        // and, of programs, GET_KEEPCAPS and SET_KEEPCAPS
        var harmless: [UInt32] = [2, 3, 15, 16, 21, 23, 27, 29, 30, 37, 38, 39, 40, 41, 42, 0x5356_4d41]
        if hasCapabilities || runsPrograms { harmless += [7, 8] }
        // PR_SET_PDEATHSIG, SET_DUMPABLE, SET_SECCOMP, CAPBSET_DROP, SET_SECUREBITS, SET_MM, SET_CHILD_SUBREAPER,
        // CAP_AMBIENT, SET_PTRACER
        let known: [UInt32] = [1, 4, 22, 24, 28, 35, 36, 47, 0x5961_6d61]
        let refused = FilterDecision.refuse(.EPERM)
        var priorities: [UInt32] = [0]
        for level: UInt32 in 4...7 { priorities.append(2 << 13 | level) }
        for level: UInt32 in 0...7 { priorities.append(3 << 13 | level) }
        return [
            "clone": .when(0, hasAny: cloneEscapes, then: .refuse(.EPERM)),
            "prctl": .when(
                0, in: harmless, otherwise: .when(0, in: known, then: .refuse(.EPERM), otherwise: .refuse(.EINVAL))),
            // Only on itself: RLIMIT_CPU of another process of the same user would kill it.
            "prlimit64": .when(0, in: [0], otherwise: .refuse(.EPERM)),
            "sched_setaffinity": .when(0, in: [0], otherwise: .refuse(.EPERM)),
            // PRIO_PROCESS on the calling thread, or on any process of a user who has no others. Without capabilities the kernel
            // refuses a lower nice(2).
            "setpriority": .when(
                0, in: [0], then: ownUser ? .allow : .when(1, in: [0], otherwise: refused), otherwise: refused),
            // IOPRIO_WHO_PROCESS on the calling thread: IOPRIO_CLASS_NONE, BE from 4 (as it is at nice 0) to 7, and IDLE
            "ioprio_set": .when(
                0, in: [1],
                then: .when(1, in: [0], then: .when(2, in: priorities, otherwise: refused), otherwise: refused),
                otherwise: refused),
            // SCHED_OTHER, SCHED_BATCH and SCHED_IDLE, each with and without SCHED_RESET_ON_FORK
            "sched_setscheduler": .when(
                0, in: [0],
                then: .when(1, in: [0, 3, 5, 0x4000_0000, 0x4000_0003, 0x4000_0005], otherwise: refused),
                otherwise: refused),
        ]
    }

    /// What the system's programs do to themselves: shells and timeout(1) make sessions and process groups, which keep nothing in or
    /// out; setuid(2) and its like set what the process has already, since no worker has capabilities, and capset(2) gives up what it
    /// does not have.
    static let ofPrograms: [String: FilterDecision] = {
        var table: [String: FilterDecision] = [:]
        for name in [
            "execve", "setsid", "setpgid", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid",
            "capset",
        ] {
            table[name] = .allow
        }
        return table
    }()

    func files() -> [String: FilterDecision] {
        // A file with the set-user-ID or set-group-ID bit would act with the rights of the worker's user for others.
        func plainMode(_ argument: Int) -> FilterDecision { .when(argument, hasAny: 0o6000, then: .refuse(.EPERM)) }
        // The mode argument of open is only meaningful with O_CREAT or __O_TMPFILE.
        func opening(flags: Int, mode: Int) -> FilterDecision {
            .when(flags, hasAny: Self.creating, then: plainMode(mode))
        }
        // F_DUPFD, GETFD, SETFD, GETFL, SETFL, GETLK, SETLK, SETLKW, GETOWN, OFD_GETLK, OFD_SETLK, OFD_SETLKW, DUPFD_CLOEXEC,
        // GETPIPE_SZ, GET_SEALS
        let fcntls: [UInt32] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 36, 37, 38, 1030, 1032, 1034]
        // F_SETOWN, SETSIG, SETOWN_EX (signals to any process), SETLEASE, NOTIFY, SETPIPE_SZ
        let knownFcntls: [UInt32] = [8, 10, 15, 1024, 1026, 1031]
        // TCGETS, TIOCOUTQ, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
        let ioctls: [UInt32] = [0x5401, 0x5411, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451]
        // TIOCSTI, TIOCLINUX: input that seems to come from the user
        let knownIoctls: [UInt32] = [0x5412, 0x541c]
        return [
            "open": opening(flags: 1, mode: 2),
            "openat": opening(flags: 2, mode: 3),
            "creat": plainMode(1),
            "mknod": plainMode(1),
            "mknodat": plainMode(2),
            "fcntl": .when(
                1, in: fcntls,
                otherwise: .when(1, in: knownFcntls, then: .refuse(.EPERM), otherwise: .refuse(.EINVAL))),
            "ioctl": .when(
                1, in: ioctls, otherwise: .when(1, in: knownIoctls, then: .refuse(.EPERM), otherwise: .refuse(.ENOTTY))),
        ]
    }

    /// What needs space on a disk for certain. write(2) and its like have pipes and sockets as well: a limit of the file size
    /// holds them.
    static let fullDisk: [String: FilterDecision] = {
        let full = FilterDecision.refuse(.ENOSPC)
        var table: [String: FilterDecision] = [:]
        for name in [
            "creat", "mknod", "mknodat", "mkdir", "mkdirat", "symlink", "symlinkat", "link", "linkat", "fallocate",
            "pwrite64", "pwritev", "pwritev2", "copy_file_range",
        ] {
            table[name] = full
        }
        for (name, flags) in [("open", 1), ("openat", 2)] {
            table[name] = .when(flags, hasAny: creating, then: full)
        }
        return table
    }()

    /// O_CREAT and __O_TMPFILE
    private static let creating = UInt32(OpenFlags.O_CREAT.rawValue) | 0o20_000_000

    /// Landlock does not control modes, owners, times and attributes. A worker that shares its user owns other files of his,
    /// so the filter has to, unless the manifest grants it.
    func ownership() -> [String: FilterDecision] {
        var table: [String: FilterDecision] = [:]
        let isFree = ownUser || changesAttributes
        func plainMode(_ argument: Int) -> FilterDecision { .when(argument, hasAny: 0o6000, then: .refuse(.EPERM)) }
        let changes = ["chown", "fchown", "lchown", "fchownat", "utime", "utimes", "futimesat", "utimensat"]
        let attributes = ["setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr"]
        for name in changes { table[name] = isFree ? .allow : .refuse(.EPERM) }
        for name in attributes { table[name] = .refuse(.EOPNOTSUPP) }
        table["chmod"] = isFree ? plainMode(1) : .refuse(.EPERM)
        table["fchmodat"] = isFree ? plainMode(2) : .refuse(.EPERM)
        // Answered without being done: atomic writes of Foundation call it on the file that they have just made.
        table["fchmod"] = isFree ? plainMode(1) : .refuse(.success)
        table["truncate"] = ownUser || landlockGuardsTruncation ? .allow : .refuse(.EPERM)
        return table
    }

    func sockets() -> [String: FilterDecision] {
        let none = FilterDecision.refuse(.EACCES)
        // Without MPTCP, SCTP and SMC, which Landlock's port rules do not see, and without Unix sockets: Landlock does not
        // stop a connection to a socket's path.
        let stream: FilterDecision = .when(
            1, in: [1], mask: 0xf, then: .when(2, in: [0, SocketNumber.IPPROTO_TCP], otherwise: none), otherwise: none)
        let internet: FilterDecision = .when(
            0, in: [SocketNumber.AF_INET, SocketNumber.AF_INET6], then: stream, otherwise: none)
        // MSG_FASTOPEN connects past Landlock.
        func noFastOpen(_ flags: Int) -> FilterDecision { .when(flags, hasAny: 0x2000_0000, then: .refuse(.EPERM)) }
        // SO_ATTACH_FILTER, ATTACH_BPF, ATTACH_REUSEPORT_CBPF, ATTACH_REUSEPORT_EBPF: programs for the kernel
        let programs: FilterDecision = .when(2, in: [26, 50, 51, 52], then: .refuse(.EPERM), otherwise: .allow)
        // TCP_REPAIR, and TCP_ULP, which turns a TCP socket into another kind ("smc") that the port rules do not see
        let layers: FilterDecision = .when(2, in: [19, 31], then: .refuse(.ENOPROTOOPT), otherwise: .allow)
        // IP_OPTIONS, and IPV6_2292RTHDR, 2292PKTOPTIONS, RTHDR: a source route, which sends packets for a granted address
        // to another one first
        // and for sockets without connections IP_ADD_MEMBERSHIP to IP_MSFILTER, MCAST_JOIN_GROUP to MCAST_MSFILTER, IPV6_JOIN_GROUP,
        // LEAVE_GROUP, JOIN_ANYCAST and LEAVE_ANYCAST: the kernel tells routers of each group
        let groups: [UInt32] = sendsEcho ? Array(35...48) : []
        let groups6: [UInt32] = sendsEcho ? [20, 21, 27, 28] + Array(42...48) : []
        let routes: FilterDecision = .when(2, in: [4] + groups, then: .refuse(.EPERM), otherwise: .allow)
        let routes6: FilterDecision = .when(2, in: [5, 6, 57] + groups6, then: .refuse(.EPERM), otherwise: .allow)
        return [
            "socket": network ? internet : none,
            "connect": network ? .allow : none,
            // A datagram pair could be re-addressed to the path of any socket.
            "socketpair": .when(
                0, in: [SocketNumber.AF_UNIX], then: .when(1, in: [1, 5], mask: 0xf, otherwise: .refuse(.EPERM)),
                otherwise: .refuse(.EPERM)),
            "sendto": noFastOpen(3),
            "sendmsg": noFastOpen(2),
            "sendmmsg": noFastOpen(3),
            "setsockopt": .when(
                1, in: [SocketNumber.SOL_SOCKET], then: programs,
                otherwise: .when(
                    1, in: [SocketNumber.IPPROTO_TCP], then: layers,
                    otherwise: .when(
                        1, in: [SocketNumber.IPPROTO_IP], then: routes,
                        otherwise: .when(1, in: [SocketNumber.IPPROTO_IPV6], then: routes6, otherwise: .allow)))),
        ]
    }

    /// Streams of Unix sockets may be made, and lead nowhere until the broker connects them. One of datagrams could be sent to any
    /// path with a message, so the broker gives one that keeps messages apart in its place.
    static let brokered: [String: FilterDecision] = [
        "socket": .when(
            0, in: [SocketNumber.AF_UNIX],
            then: .when(
                1, in: [1, 5], mask: 0xf,
                otherwise: .when(1, in: [2], mask: 0xf, then: .notify, otherwise: .refuse(.EACCES))),
            otherwise: .refuse(.EACCES)),
        "connect": .notify,
        // To an address of its own.
        "sendto": .when(4, hasAny: .max, then: .refuse(.EACCES)),
    ]

    /// Protocols of the datagram sockets for which a program with ICMP echo gets one for that: ping(8) asks for one of UDP too, only to
    /// learn by connect(2) which address it has, and that any socket tells.
    package static let echoProtocols = [
        SocketNumber.IPPROTO_IP, SocketNumber.IPPROTO_UDP, SocketNumber.IPPROTO_ICMP, SocketNumber.IPPROTO_ICMPV6,
    ]

    /// The kernel lets nothing but echo requests out by such a socket (icmp(7)), plain and extended (RFC 8335), wherever it is connected or
    /// sent to, and there is no other internet socket, nor one of Unix datagrams, that an address could mean. A raw one is refused as an
    /// ordinary user's is: programs then ask for one of datagrams.
    ///
    /// - Parameter socket: the decision about all others.
    func echo(beside socket: FilterDecision?) -> [String: FilterDecision] {
        let none = FilterDecision.refuse(.EACCES)
        let datagram: FilterDecision = .when(
            1, in: [SocketNumber.SOCK_DGRAM], mask: 0xf,
            then: .when(2, in: Self.echoProtocols, then: .notify, otherwise: none),
            otherwise: .when(
                1, in: [SocketNumber.SOCK_RAW], mask: 0xf, then: .refuse(.EPERM), otherwise: none))
        return [
            "socket": .when(
                0, in: [SocketNumber.AF_INET, SocketNumber.AF_INET6], then: datagram, otherwise: socket ?? none),
            "connect": hasBroker ? .notify : .allow, "sendto": .allow,
        ]
    }

    func signals() -> [String: FilterDecision] {
        // Zero is the caller's own process group. The worker's session has no process of others, and a group lies in one session.
        let own = FilterDecision.when(
            0, in: [0],
            otherwise: .when(
                FilterTest(argument: 0, condition: .isOwnProcess), then: .allow, otherwise: .refuse(.EPERM)))
        let tooFar = FilterDecision.refuse(.EPERM)
        return [
            "kill": pinsSignals ? own : .allow,
            "tgkill": pinsSignals ? own : .allow,
            "tkill": pinsSignals ? tooFar : .allow,
            "rt_sigqueueinfo": pinsSignals ? tooFar : .allow,
            "rt_tgsigqueueinfo": pinsSignals ? tooFar : .allow,
            "pidfd_send_signal": pinsSignals ? tooFar : .allow,
        ]
    }
}
