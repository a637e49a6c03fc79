import Glibc
import TestSupport

/// The ways in which each call may fail without anyone's fault: interruptions, and a machine that has nothing left.
enum KernelFaults {
    /// The call does half of what it was asked for.
    private static let short: Int32 = 0
    private static let noNumbers = [EMFILE, ENOMEM]
    private static let disk = [ENOSPC, EIO]

    /// Calls that are not here cannot fail by themselves, or only where plugins and the C library use them.
    private static let codes: [String: [Int32]] = [
        "open": [EMFILE, EINTR, EIO], "openat": [EMFILE, EINTR, ENOMEM], "openat2": [EMFILE, EINTR, ENOMEM],
        "duplicate": [EMFILE], "fopen": [EMFILE], "opendir": [EMFILE], "fdopendir": [ENOMEM], "readdir": [EIO],
        "close": [EIO], "lock": [ENOLCK, EAGAIN], "ioctl": [ENOTTY], "prctl": [EINVAL],
        "read": [EINTR, EIO, short], "pread": [EINTR, EIO, short], "pread64": [EINTR, EIO, short],
        "write": [EINTR, ENOSPC, short], "pwrite": [EINTR, ENOSPC, short], "pwrite64": [EINTR, ENOSPC, EIO, short],
        "recv": [EINTR, ECONNRESET, short], "send": [EINTR, ECONNRESET, short], "recvfrom": [EINTR],
        "sendto": [EINTR], "readv": [EINTR], "writev": [EINTR], "sendfile64": [EINTR], "getrandom": [EINTR],
        "recvmsg": [EINTR, ENOMEM], "sendmsg": [EINTR, ENOBUFS], "recvmmsg": [EINTR, ENOMEM],
        "sendmmsg": [EINTR, ENOBUFS],
        "fsync": [EIO], "fdatasync": disk, "syncfs": [EIO], "sync_file_range": [EIO], "ftruncate": [EIO],
        "ftruncate64": [EIO], "fallocate": [ENOSPC, EOPNOTSUPP], "posix_fallocate": [ENOSPC],
        "fstat": [EIO], "fstat64": [EIO], "stat": [EIO], "stat64": [EIO], "lstat": [EIO], "lstat64": [EIO],
        "fstatat": [EIO], "statvfs": [EIO], "fstatvfs": [EIO], "faccessat": [EIO],
        "unlink": [EIO], "unlinkat": [EIO], "rename": [ENOSPC], "renameat": [ENOSPC], "renameat2": [ENOSPC],
        "link": [ENOSPC], "mkdir": [ENOSPC], "mkdirat": [ENOSPC], "rmdir": [EBUSY], "readlink": [EIO],
        "readlinkat": [EIO], "chmod": [EPERM], "fchmod": [EPERM], "fchmodat": [EPERM], "fchown": [EPERM],
        "fchownat": [EPERM], "lchown": [EPERM],
        "epoll_create1": noNumbers, "epoll_ctl": [ENOSPC, ENOMEM], "epoll_wait": [EINTR], "epoll_pwait2": [EINTR],
        "poll": [EINTR], "ppoll": [EINTR], "eventfd": noNumbers, "timerfd_create": [EMFILE],
        "timerfd_settime": [ENOMEM], "signalfd": [EMFILE], "inotify_init1": [EMFILE], "inotify_add_watch": [ENOSPC],
        "socket": noNumbers, "socketpair": [EMFILE], "bind": [ENOMEM], "listen": [EADDRINUSE],
        "connect": [ECONNREFUSED, EINTR], "accept4": [EMFILE, ECONNABORTED, EINTR], "shutdown": [ENOTCONN],
        "getsockname": [ENOBUFS], "getsockopt": [ENOBUFS], "setsockopt": [ENOMEM], "pipe2": noNumbers,
        "memfd_create": noNumbers, "dup2": [EBUSY], "close_range": [ENOMEM],
        "fork": [EAGAIN], "clone3": [EAGAIN, ENOSYS], "posix_spawn": [EAGAIN], "execve": [ENOMEM],
        "pthread_create": [EAGAIN], "wait4": [EINTR], "setsid": [EPERM], "setrlimit": [EPERM], "mmap": [ENOMEM],
        "sigaltstack": [ENOMEM], "setgroups": [EPERM], "setresuid": [EAGAIN], "setresgid": [EPERM],
        "capget": [EPERM], "capset": [EPERM], "seccomp": [EINVAL], "landlock_create_ruleset": [EOPNOTSUPP],
        "landlock_add_rule": [ENOMEM], "landlock_restrict_self": [E2BIG], "pidfd_open": [EMFILE],
        "pidfd_send_signal": [EPERM], "quotactl_fd": [ENOSYS], "bpf": [EPERM],
    ]

    /// Every fault of a life in which the role's calls were used so often, in no order.
    static func all(_ role: KernelPlayer.Role, uses: [String: Int]) -> [KernelPlayer.Fault] {
        uses.sorted { $0.key < $1.key }.flatMap { call, count in
            (codes[call] ?? []).flatMap { code in
                (1...count).map { KernelPlayer.Fault(role, call, use: $0, code: code) }
            }
        }
    }

    /// `most` of them, of each call at least one; all of them in the whole.
    static func chosen(_ faults: [KernelPlayer.Fault], most: Int) -> [KernelPlayer.Fault] {
        Sample.draw(faults, most: most, "KernelFaults") { $0.call }
    }
}
