import Confining
import Glibc
import Linux
import Wire

/// From the fork to the worker's loop for an application with `"confinement": "none"`: its user's own rights, as cron would give them,
/// without PAM.
final class UnconfinedBirth {
    /// Open files as the kernel gives them to the first process, and systemd to services: soft and hard.
    private static let openFiles: (soft: UInt64, hard: UInt64) = (1024, 524_288)

    private let plan: LaunchPlan
    private let environment: EnvironmentBlock
    /// `RLIMIT_DATA`; 0 for none.
    private let dataLimit: UInt64

    init(_ plan: LaunchPlan) throws(ConfinementError) {
        self.plan = plan
        dataLimit = try ConfinementLimits.data(of: plan)
        environment = EnvironmentBlock(WorkerEnvironment.ofLogin(plan))
    }

    /// Continues in the forked child, and exits as a worker does.
    ///
    /// - Parameter parent: the process that forks it.
    func begin(_ descriptors: LaunchDescriptors, null: Int32, parent: Int32, placesItself: Bool) {
        var wire = descriptors.wire
        do throws(ConfinementError) {
            try WorkerBirth.place(descriptors, placesItself: placesItself)
            try ConfinementError.at(.signals, Sandbox.unblockSignals)
            try ConfinementError.at(.session, Sandbox.startSession)
            let layout = [null, descriptors.log, descriptors.errors, wire]
            try ConfinementError.at(.descriptors, naming: "") { () throws(SystemError) in
                try Sandbox.arrange(layout)
            }
            wire = WorkerProcess.wireDescriptor
            try becomeUser(parent: parent, wire: wire)
            try ConfinementError.at(.lifetime, LeftProcesses.adopt)
        } catch {
            WorkerBirth.refuse(wire, LaunchRefusal(error))
        }
        WorkerProcess.serve(
            plan, report: ConfinementReport(landlockABI: 0, seccomp: false, ownUser: false, degraded: []))
    }

    private func becomeUser(parent: Int32, wire: Int32) throws(ConfinementError) {
        try ConfinementLimits.setOfLogin(openFiles: Self.openFiles, fileSize: plan.fileSize, data: dataLimit)
        _ = umask(0o022)
        environment.install()
        if plan.identity.kind == .account {
            // Else its programs could not open /dev/stdout and /dev/stderr by their names: the pipes are root's.
            for stream in 1...2 as ClosedRange<Int32> { _ = fchown(stream, plan.identity.user, plan.identity.group) }
            try ConfinementError.at(.user) { () throws(SystemError) in
                let identity = plan.identity
                try Sandbox.become(
                    user: identity.user, group: identity.group, groups: identity.groups, keepsRights: true)
            }
        }
        // As cron, whose users without a home are in the root folder.
        if unsafe chdir(plan.home) != 0, unsafe chdir("/") != 0 {
            throw ConfinementError(.stateDirectory, code: errno, object: plan.home)
        }
        try ConfinementError.at(.lifetime, Sandbox.dieWithParent)
        if Sandbox.isOrphan(of: parent, wire: wire) { _exit(0) }
        try ConfinementError.at(.lifetime, Sandbox.makeUndumpable)
    }
}
