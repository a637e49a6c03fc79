import CLinux
import Glibc
import Linux
package import Wire

/// Confines a worker process before it maps any code of a plugin.
package enum Confinement {
    /// Enters control groups of version 1 through their opened `cgroup.procs` files: before `apply`, after which the
    /// worker may not. The descriptors stay open; `apply` closes them.
    ///
    /// - Throws: `.placement`.
    package static func place(_ descriptors: [Int32]) throws(ConfinementError) {
        for descriptor in descriptors {
            // "0" is the writing process itself (cgroups(7)).
            guard write(descriptor, "0", 1) == 1 else {
                throw ConfinementError(.placement, code: errno, object: "cgroup.procs")
            }
        }
    }

    /// Confines the calling process for good. Afterwards descriptor 0 is `/dev/null`, 1 and 2 are the log, 3 is the wire,
    /// 4 the library if there is one, and all others are closed.
    ///
    /// The steps stand in this order because each takes away what an earlier one needed: changing the user resets the
    /// parent-death signal and the dumpable flag, Landlock closes the paths, and the filter forbids most of the calls
    /// that are made here. When the host is gone the process ends here, with status 0.
    ///
    /// - Parameters:
    ///   - template: prepared by this process or by the one that it was forked from.
    ///   - wire, log, library: descriptors above 2 in any order; `library` is -1 for none.
    ///   - ruleset: a ruleset that was made for this plan before, or nil to make one here.
    /// - Returns: what confinement the worker really has.
    /// - Throws: the step that failed. The process is then confined in part and must end.
    ///
    /// *Thread*: for a process with one thread. *Ownership*: it takes over all descriptors.
    package static func apply(
        plan: LaunchPlan, template: borrowing ConfinementTemplate, wire: Int32, log: Int32, library: Int32,
        ruleset: Int32? = nil
    ) throws(ConfinementError) -> ConfinementReport {
        let abi = template.landlockABI
        guard abi > 0 || plan.bestEffort else { throw ConfinementError(.landlockMissing, code: 0) }
        guard template.isRoot == (plan.user != 0 && plan.group != 0) else {
            throw ConfinementError(.user, code: EPERM, object: "user \(plan.user), group \(plan.group)")
        }
        try check(clinux_unblock_signals(), .signals, "sigprocmask")
        // A session of its own has no terminal, and its process group is what the host kills.
        guard setsid() >= 0 else { throw ConfinementError(.session, code: errno) }
        let kept = [template.nullDescriptor, log, log, wire, library] + (ruleset.map { [$0] } ?? [])
        try check(clinux_arrange_descriptors(kept, Int32(kept.count)), .descriptors)
        try ConfinementLimits.set(for: plan)
        raiseOutOfMemoryScore(isRoot: template.isRoot)
        _ = umask(0o077)
        try WorkerEnvironment.apply(WorkerEnvironment.make(plan))
        if template.isRoot { try become(plan.user, plan.group) }
        guard chdir(plan.stateDirectory) == 0, access(".", R_OK | W_OK | X_OK) == 0 else {
            throw ConfinementError(.stateDirectory, code: errno, object: plan.stateDirectory)
        }
        // A change of user resets both, so they come after it. The parent may have died before it was asked for.
        try check(clinux_die_with_parent(), .session, "PR_SET_PDEATHSIG")
        if clinux_is_orphan(template.expectedParent, Target.wire) != 0 { _exit(0) }
        try check(clinux_set_dumpable(0), .privileges, "PR_SET_DUMPABLE")
        if abi > 0 {
            try enter(ruleset == nil ? nil : Target.ruleset, plan, library < 0 ? -1 : Target.library, template)
        }
        let filter = template.filter(network: !plan.ports.isEmpty).instructions
        try check(clinux_seccomp_install(filter, UInt32(filter.count)), .filter, "seccomp")
        return report(plan, template)
    }

    /// Where descriptors lie afterwards.
    private enum Target {
        static let log: Int32 = 2
        static let wire: Int32 = 3
        static let library: Int32 = 4
        /// Closed before the filter is installed.
        static let ruleset: Int32 = 5
    }

    private static func become(_ user: UInt32, _ group: UInt32) throws(ConfinementError) {
        var stage: Int32 = 0
        let code = clinux_become(user, group, &stage)
        guard code < 0 else { return }
        let call =
            switch Int(stage) {
            case CLINUX_STAGE_LOCKS: "securebits"
            case CLINUX_STAGE_GROUPS: "setgroups"
            case CLINUX_STAGE_GROUP: "setresgid \(group)"
            case CLINUX_STAGE_USER: "setresuid \(user)"
            case CLINUX_STAGE_CAPABILITIES: "capset"
            default: "it could become root again"
            }
        throw ConfinementError(.user, code: -code, object: call)
    }

    /// Makes workers go before the host when memory runs out. Not vital: a container may forbid it.
    private static func raiseOutOfMemoryScore(isRoot: Bool) {
        // The files in /proc of a process that is not dumpable belong to root. What may trace the worker in between is
        // of the same user and not confined.
        if !isRoot { _ = clinux_set_dumpable(1) }
        _ = clinux_raise_oom_score(500)
        if !isRoot { _ = clinux_set_dumpable(0) }
    }

    private static func enter(
        _ prepared: Int32?, _ plan: LaunchPlan, _ library: Int32, _ template: borrowing ConfinementTemplate
    ) throws(ConfinementError) {
        let made =
            if let prepared {
                Descriptor(adopting: prepared)
            } else {
                try LandlockRuleset.make(plan: plan, library: library, template: template, mention: mention)
            }
        try check(clinux_landlock_restrict(made.number), .landlock, "landlock_restrict_self")
    }

    /// Tells in the worker's log that a grant was left out; the log is where a person looks when a file cannot be read.
    private static func mention(_ path: String, _ code: Int32) {
        let line = "taskhost: no access was granted to \(path): \(SystemError.text(of: code))\n"
        // A full log takes no line; the worker does not wait for it.
        _ = line.utf8.withContiguousStorageIfAvailable { write(Target.log, $0.baseAddress, $0.count) }
    }

    private static func report(
        _ plan: LaunchPlan, _ template: borrowing ConfinementTemplate
    ) -> ConfinementReport {
        let abi = template.landlockABI
        var degraded: [String] = []
        if abi == 0 { degraded.append("landlock") }
        if !plan.ports.isEmpty {
            // A filter sees no addresses, and Landlock compares ports alone, since version 4.
            if abi < 4 { degraded.append("network") }
            degraded.append("network.host")
        }
        if plan.processes == 0 && plan.placements == 0 { degraded.append("processes") }
        return ConfinementReport(
            landlockABI: UInt8(clamping: abi), seccomp: true, ownUser: template.isRoot, degraded: degraded)
    }

    private static func check(
        _ result: Int32, _ step: ConfinementError.Step, _ object: String = ""
    ) throws(ConfinementError) {
        guard result >= 0 else { throw ConfinementError(step, code: -result, object: object) }
    }
}
