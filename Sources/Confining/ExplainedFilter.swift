import Linux

/// The filter of a program, or of a worker, whose refusals are to be named: it decides as its policy does, but a watching process makes
/// the decisions that it is told of, since a filter that refuses outranks one that asks (seccomp(2)).
package struct ExplainedFilter: Sendable {
    package let program: FilterProgram
    /// What the policy says of the calls that the watching process is told of, by number.
    package let calls: [Int32: (name: String, decision: FilterDecision)]

    /// Programs do without them, so that nobody asks why they were refused; and signals, whose rule belongs to a process.
    private static let untold: Set<String> = [
        "ioctl", "prctl", "fcntl", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
        "kill",
        "tgkill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal",
    ]

    /// - Parameter asking: allowed calls that the watching process is told of.
    /// - Throws: `.filterProgram`.
    package init(
        _ policy: SystemCallPolicy, asking leading: Set<String> = SystemCallPolicy.leading
    ) throws(ConfinementError) {
        var rules = policy.whole
        var calls: [Int32: (name: String, decision: FilterDecision)] = [:]
        for (name, decision) in rules.decisions {
            // The broker's own are told anyway.
            guard !Self.untold.contains(name), !(policy.hasBroker && SystemCallPolicy.brokered[name] != nil) else {
                continue
            }
            let isLeading = leading.contains(name)
            let asking = decision.map { verdict in
                switch verdict {
                case .allow: isLeading ? .notify : .allow
                case .refuse(.EPERM), .refuse(.EACCES): .notify
                case .refuse, .kill, .notify: verdict
                }
            }
            guard asking != decision, let number = SystemCallArchitecture.native.number(of: name) else { continue }
            rules.decisions[name] = asking
            calls[number] = (name, decision)
        }
        program = try FilterProgram(rules)
        self.calls = calls
    }
}

extension SystemCallPolicy {
    /// Calls that lead to files, programs and other machines: Landlock and the network's grants decide about them.
    package static let leading: Set<String> = [
        "open", "openat", "openat2", "creat", "execve", "execveat", "mkdir", "mkdirat", "mknod", "mknodat", "symlink",
        "symlinkat", "link", "linkat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "truncate",
        "connect", "sendmsg", "sendmmsg",
    ]
}

extension FilterDecision {
    /// What it says of a call with these arguments. No process counts as the worker's own.
    package func verdict(for arguments: InlineArray<6, UInt64>) -> FilterVerdict {
        switch self {
        case .verdict(let verdict): verdict
        case .when(let test, let then, let otherwise):
            (test.holds(for: UInt32(truncatingIfNeeded: arguments[test.argument])) ? then : otherwise)
                .verdict(for: arguments)
        }
    }
}

extension FilterTest {
    fileprivate func holds(for argument: UInt32) -> Bool {
        switch condition {
        case .isOneOf(let values, let mask): values.contains(argument & mask)
        case .hasAny(let bits): argument & bits != 0
        case .isOwnProcess: false
        }
    }
}
