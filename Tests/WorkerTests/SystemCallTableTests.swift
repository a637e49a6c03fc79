import Confining
import Linux
import Testing

/// aarch64 lacks the calls that newer ones replace (asm-generic/unistd.h): the C library makes the newer one there, so that the tables
/// must decide the same about it.
@Suite("The tables of system calls on each architecture")
struct SystemCallTableTests {
    /// What the newer call's arguments are when it does what the old one does with its own.
    private typealias Arguments = @Sendable ([UInt64]) -> [UInt64]

    private struct Successor: Sendable {
        var call: String
        var arguments: Arguments = { $0 }
    }

    /// AT_FDCWD as the first argument.
    private static let here = UInt64(truncatingIfNeeded: -100)
    @Sendable private static func atHere(_ words: [UInt64]) -> [UInt64] { [here] + words.dropLast() }
    /// O_WRONLY | O_CREAT | O_TRUNC
    private static let creating: UInt64 = 0o1101
    private static let SIGCHLD: UInt64 = 17
    /// CLONE_VM | CLONE_VFORK
    private static let vfork: UInt64 = 0x4100

    private static let successors: [String: Successor] = [
        "access": Successor(call: "faccessat", arguments: atHere), "alarm": Successor(call: "setitimer"),
        "chmod": Successor(call: "fchmodat", arguments: atHere),
        "chown": Successor(call: "fchownat", arguments: atHere),
        "creat": Successor(call: "openat", arguments: { [here, $0[0], creating, $0[1], 0, 0] }),
        "dup2": Successor(call: "dup3"), "epoll_create": Successor(call: "epoll_create1"),
        "epoll_wait": Successor(call: "epoll_pwait"), "eventfd": Successor(call: "eventfd2"),
        "fork": Successor(call: "clone", arguments: { [SIGCHLD] + $0.dropFirst() }),
        "vfork": Successor(call: "clone", arguments: { [SIGCHLD | vfork] + $0.dropFirst() }),
        "futimesat": Successor(call: "utimensat"), "getdents": Successor(call: "getdents64"),
        "getpgrp": Successor(call: "getpgid"), "inotify_init": Successor(call: "inotify_init1"),
        "lchown": Successor(call: "fchownat", arguments: atHere), "link": Successor(call: "linkat"),
        "lstat": Successor(call: "newfstatat"), "mkdir": Successor(call: "mkdirat", arguments: atHere),
        "mknod": Successor(call: "mknodat", arguments: atHere), "open": Successor(call: "openat", arguments: atHere),
        "pause": Successor(call: "ppoll"), "pipe": Successor(call: "pipe2"), "poll": Successor(call: "ppoll"),
        "readlink": Successor(call: "readlinkat"), "rename": Successor(call: "renameat"),
        "rmdir": Successor(call: "unlinkat"), "select": Successor(call: "pselect6"),
        "signalfd": Successor(call: "signalfd4"), "stat": Successor(call: "newfstatat"),
        "symlink": Successor(call: "symlinkat"), "time": Successor(call: "clock_gettime"),
        "unlink": Successor(call: "unlinkat"), "utime": Successor(call: "utimensat"),
        "utimes": Successor(call: "utimensat"),
    ]
    /// Of one architecture by their nature.
    private static let onlyX86: Set<String> = ["arch_prctl", "create_module", "ioperm", "iopl", "modify_ldt", "uselib"]
    /// Of architectures that are neither.
    private static let ofOthers: Set<String> = ["fstatat64", "riscv_flush_icache", "umount"]

    private static let names = Set(policies.flatMap { Array($0.base.decisions.keys) + Array($0.decisions().keys) })

    @Test("have no name that neither architecture knows, but those of others")
    func namesAreKnown() {
        let unknown = Self.names.filter {
            SystemCallArchitecture.x86_64.number(of: $0) == nil && SystemCallArchitecture.aarch64.number(of: $0) == nil
        }
        #expect(unknown == Self.ofOthers)
    }

    @Test("lack on aarch64 what a newer call replaces, and what only x86-64 can have")
    func lacks() {
        let lacking = Self.names.subtracting(Self.ofOthers)
            .filter { SystemCallArchitecture.aarch64.number(of: $0) == nil }
        #expect(lacking == Self.onlyX86.union(Self.successors.keys))
        #expect(
            Self.names.subtracting(Self.ofOthers).allSatisfy { SystemCallArchitecture.x86_64.number(of: $0) != nil })
    }

    @Test("decide about a newer call as about the one it replaces", arguments: successors.keys.sorted())
    func meanTheSame(_ old: String) throws {
        let successor = try #require(Self.successors[old])
        #expect(SystemCallArchitecture.aarch64.number(of: successor.call) != nil)
        let modes: [UInt64] = [0, 1, 2, 0o100, 0o644, 0o2755, 0o4755, 0o6755, 0o20_000_000]
        for policy in Self.policies {
            let decisions = policy.decisions()
            let before = try #require(decisions[old])
            let after = try #require(decisions[successor.call])
            for first in modes {
                for second in modes {
                    for third in modes {
                        let words = [first, second, third, 0, 0, 0]
                        let verdict = before.verdict(words, 1)
                        #expect(after.verdict(successor.arguments(words), 1) == verdict, "\(old) \(words)")
                    }
                }
            }
        }
    }

    /// Each of their properties both ways.
    private static let policies: [SystemCallPolicy] = (0..<256).map { bits in
        var policy = SystemCallPolicy(
            network: bits & 1 != 0, ownUser: bits & 2 != 0, pinsSignals: bits & 4 != 0,
            landlockGuardsTruncation: bits & 4 == 0)
        policy.changesAttributes = bits & 8 != 0
        policy.runsPrograms = bits & 16 != 0
        policy.diskIsFull = bits & 32 != 0
        policy.hasBroker = bits & 64 != 0
        policy.sendsEcho = bits & 128 != 0
        return policy
    }
}
