package import Confining
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
            guard unsafe write(descriptor, "0", 1) == 1 else {
                throw ConfinementError(.placement, code: errno, object: "cgroup.procs")
            }
        }
    }

    /// Prepares and confines in one go, for a process that serves a single worker. As the other `apply`.
    package static func apply(
        plan: LaunchPlan, template: borrowing ConfinementTemplate, wire: Int32, log: Int32, errors: Int32,
        library: Int32
    ) throws(ConfinementError) -> ConfinementReport {
        let prepared = try PreparedConfinement(plan, library: library, template: template)
        return try apply(prepared, template: template, wire: wire, log: log, errors: errors, library: library)
    }

    /// Confines the calling process permanently. Afterwards descriptor 0 is `/dev/null`, 1 is the log, 2 is that of errors, 3 is
    /// the wire, 4 the library if there is one, and all others are closed.
    ///
    /// The order matters because each step removes what an earlier one needed: a change of user resets the parent-death
    /// signal and the dumpable flag, Landlock closes the paths, and the filter forbids most of the calls made here.
    /// When the parent or the host has ended, the process ends here with status 0.
    ///
    /// - Parameters:
    ///   - prepared: made by this process or by the one that it was forked from, like the template.
    ///   - wire, log, errors, library: descriptors in any order; `library` is -1 for none.
    /// - Returns: what confinement the worker really has.
    /// - Throws: the step that failed. The process is then confined in part and must end.
    ///
    /// *Thread*: for a process with one thread. *Ownership*: it takes over all descriptors.
    package static func apply(
        _ prepared: PreparedConfinement, template: borrowing ConfinementTemplate, wire: Int32, log: Int32,
        errors: Int32, library: Int32
    ) throws(ConfinementError) -> ConfinementReport {
        try apply(
            prepared, template: template, wire: wire, log: log, errors: errors, library: library, explainer: nil)
    }

    /// - Parameter explainer: is told of the worker's calls; nil: nobody is.
    static func apply(
        _ prepared: PreparedConfinement, template: borrowing ConfinementTemplate, wire: Int32, log: Int32,
        errors: Int32, library: Int32, explainer: WorkerExplainer?
    ) throws(ConfinementError) -> ConfinementReport {
        let plan = prepared.plan
        // The process that forked may have blocked signals to read them from a descriptor.
        try ConfinementError.at(.signals, Sandbox.unblockSignals)
        // A new session has no terminal, and its process group is what the host kills.
        try ConfinementError.at(.session, Sandbox.startSession)
        // What is mounted now has no rule yet.
        let ruleset = OwnPlaces.make(plan) ? try prepared.makeRuleset(template) : prepared.takeRuleset()
        let layout = [template.nullDescriptor, log, errors, wire, library, ruleset, explainer?.channel ?? -1]
        try ConfinementError.at(.descriptors, naming: "") { () throws(SystemError) in try Sandbox.arrange(layout) }
        try ConfinementLimits.set(for: plan, data: prepared.dataLimit)
        _ = umask(0o077)
        prepared.environment.install()
        if template.isRoot {
            try ConfinementError.at(.user) { () throws(SystemError) in
                let identity = plan.identity
                // Else its programs could not open /dev/stdout and /dev/stderr by their names: the pipes are root's.
                if !plan.execute.isEmpty {
                    for stream in 1...2 as ClosedRange<Int32> { _ = fchown(stream, identity.user, identity.group) }
                }
                try Sandbox.become(user: identity.user, group: identity.group, groups: identity.groups)
            }
        }
        guard unsafe chdir(plan.stateDirectory) == 0, unsafe access(".", R_OK | W_OK | X_OK) == 0 else {
            throw ConfinementError(.stateDirectory, code: errno, object: plan.stateDirectory)
        }
        // A change of user resets both, so they follow it. The parent may have died before the request.
        try ConfinementError.at(.lifetime, Sandbox.dieWithParent)
        if Sandbox.isOrphan(of: template.expectedParent, wire: Target.wire) { _exit(0) }
        try ConfinementError.at(.lifetime) { () throws(SystemError) in
            if let explainer {
                try Sandbox.showMemory(to: explainer.process)
            } else {
                try Sandbox.makeUndumpable()
            }
        }
        // By trying it, while Landlock does not refuse it yet: kernels before 5.15 assign a socket to the root group once
        // any process uses net_cls or net_prio of cgroup 1, and then call no program.
        let isHeld = addressesAreHeld(plan)
        tell(prepared.notes, on: Target.errors)
        if ruleset >= 0 {
            try ConfinementError.at(.landlock) { () throws(SystemError) in
                try Landlock.enter(Target.ruleset, logsPrograms: plan.isRecorded)
            }
            _ = close(Target.ruleset)  // Linux has freed the number whatever close says (close(2))
        }
        var report = isHeld ? prepared.report : prepared.report.withoutAddresses(plan)
        if let explainer {
            let isTold = try explainer.install(over: Target.explainer) { prepared.filter(template) }
            if isTold { report.explainer = explainer.process }
        } else {
            try prepared.filter(template).install()
        }
        return report
    }

    /// The programs of its control group that the host expects to enforce addresses do so.
    static func addressesAreHeld(_ plan: LaunchPlan) -> Bool {
        !plan.holdsAddresses || clinux_connections_are_held() == 1
    }

    /// Where descriptors are afterwards.
    private enum Target {
        static let errors: Int32 = 2
        static let wire: Int32 = 3
        /// Until the worker has entered it.
        static let ruleset: Int32 = 5
        /// Until its filter is installed.
        static let explainer: Int32 = 6
    }

    /// Writes to the worker's errors, where the user looks when a file cannot be read. A full pipe drops it.
    static func tell(_ text: String, on errors: Int32) {
        guard !text.isEmpty else { return }
        _ = unsafe text.withCString { unsafe write(errors, $0, strlen($0)) }
    }
}
