import Linux

/// The filter of a watched program: it allows what a program without confinement may do, and has its watcher told of what
/// confinement would decide by.
package struct WatchFilter: Sendable {
    package let program: FilterProgram
    /// Names of the calls that the watcher is told of, by number.
    package let names: [Int32: String]

    /// They do the work of other calls, which nobody would be told of; programs do without them where they fail with ENOSYS.
    private static let missing = ["io_uring_setup", "io_uring_enter", "io_uring_register"]
    /// Refused by an answer that programs take for that of a file system or a terminal.
    private static let unimportant = [
        "ioctl", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
    ]

    /// - Throws: `.filterProgram`.
    package init() throws(ConfinementError) {
        var policy = SystemCallPolicy(network: true, ownUser: false, pinsSignals: false, landlockGuardsTruncation: true)
        policy.runsPrograms = true
        var decisions = policy.decisions().mapValues { decision in
            decision.map { verdict in
                guard case .refuse(let code) = verdict else { return verdict }
                return code == .ENOSYS ? .allow : .notify
            }
        }
        for name in Self.unimportant { decisions[name] = nil }
        for name in SystemCallPolicy.leading { decisions[name] = .notify }
        // Without an address it goes where connect(2) led.
        decisions["sendto"] = .when(4, hasAny: .max, then: .notify)
        for name in Self.missing { decisions[name] = .refuse(.ENOSYS) }
        program = try FilterProgram(FilterRules(decisions: decisions, other: .allow))
        var names: [Int32: String] = [:]
        for (name, decision) in decisions where decision != .allow {
            if let number = SystemCallArchitecture.native.number(of: name) { names[number] = name }
        }
        self.names = names
    }
}
