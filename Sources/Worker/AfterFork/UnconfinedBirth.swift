import Confining
import Glibc
import Linux
import Wire

/// From the fork to the worker's loop for an application whose programs are not confined by what they inherit: with
/// `"confinement": "none"` its user's own rights, as cron would give them, without PAM; else a broker confines each program, and the
/// worker itself has the user, limits and environment of a confined one. A worker whose calls somebody is told of begins here as well.
final class UnconfinedBirth {
    /// Open files as the kernel gives them to the first process, and systemd to services: soft and hard.
    private static let openFiles: (soft: UInt64, hard: UInt64) = (1024, 524_288)

    private var plan: LaunchPlan
    private let environment: EnvironmentBlock
    /// `RLIMIT_DATA`; 0 for none.
    private let dataLimit: UInt64
    private let system: SystemGrants

    init(_ plan: LaunchPlan, _ system: SystemGrants) throws(ConfinementError) {
        guard !plan.hasBroker || Landlock.version > 0 || plan.bestEffort else {
            throw ConfinementError(.landlockMissing, code: 0)
        }
        self.plan = plan
        self.system = system
        dataLimit = try ConfinementLimits.data(of: plan)
        environment = EnvironmentBlock(
            plan.isConfined ? WorkerEnvironment.make(plan) : WorkerEnvironment.ofLogin(plan))
    }

    /// Continues in the forked child, and exits as a worker does.
    ///
    /// - Parameter parent: the process that forks it.
    func begin(_ descriptors: LaunchDescriptors, null: Int32, parent: Int32, placesItself: Bool) {
        if plan.hasExplainer { return beginExplained(descriptors, placesItself: placesItself) }
        var wire = descriptors.wire
        var broker: BrokerPlan?
        do throws(ConfinementError) {
            try WorkerBirth.place(descriptors, placesItself: placesItself)
            try ConfinementError.at(.signals, Sandbox.unblockSignals)
            try ConfinementError.at(.session, Sandbox.startSession)
            plan.hasOwnMemory = OwnPlaces.make(plan)
            let rules = plan.hasBroker ? try makeRules(library: -1, notes: descriptors.errors) : -1
            let layout = [null, descriptors.log, descriptors.errors, wire, rules]
            try ConfinementError.at(.descriptors, naming: "") { () throws(SystemError) in
                try Sandbox.arrange(layout)
            }
            wire = WorkerProcess.wireDescriptor
            if plan.hasBroker {
                // Before the limits: that of files holds for those in memory too.
                broker = try ConfinementError.at(.limits, naming: "") { () throws(SystemError) in
                    // What is arranged stays open in executed programs: a copy does not.
                    let arranged = rules >= 0 ? Descriptor(adopting: Self.rulesDescriptor) : nil
                    return try BrokerPlan(plan, rules: arranged?.duplicate())
                }
            }
            try setLimits()
            environment.install()
            try becomeUser()
            try enterFolder()
            try ConfinementError.at(.lifetime, Sandbox.dieWithParent)
            if Sandbox.isOrphan(of: parent, wire: wire) { _exit(0) }
            try ConfinementError.at(.lifetime, Sandbox.makeUndumpable)
            if !plan.isConfined { try ConfinementError.at(.lifetime, LeftProcesses.adopt) }
        } catch {
            WorkerBirth.refuse(wire, LaunchRefusal(error))
        }
        WorkerProcess.serve(plan, report: report, broker: broker)
    }

    /// As root still, like those of any library.
    private func beginExplained(_ descriptors: LaunchDescriptors, placesItself: Bool) {
        do throws(ConfinementError) {
            try WorkerBirth.place(descriptors, placesItself: placesItself)
            let rules = try makeRules(library: descriptors.library ?? -1, notes: descriptors.errors)
            WorkerBirth.becomeExplained(plan, descriptors, ruleset: rules)
        } catch {
            WorkerBirth.refuse(descriptors.wire, LaunchRefusal(error))
        }
    }

    /// Behind the worker's own.
    private static let rulesDescriptor: Int32 = 4

    /// As root still, like those of a worker whose programs inherit them. -1: the machine has no Landlock.
    ///
    /// - Parameters:
    ///   - library: the descriptor of the application's library, or -1.
    ///   - notes: gets what is said of grants, as the launch's.
    private func makeRules(library: Int32, notes: Int32) throws(ConfinementError) -> Int32 {
        let abi = Landlock.version
        guard abi > 0 else { return -1 }
        var text = ""
        let rules = try LandlockRuleset.make(
            plan: plan, library: library, system: system, abi: abi, foreign: Set(plan.foreign), notes: &text)
        Confinement.tell(text, on: notes)
        return rules.take()
    }

    private var report: ConfinementReport {
        guard plan.isConfined else {
            return ConfinementReport(landlockABI: 0, seccomp: false, ownUser: false, degraded: [])
        }
        let report = ConfinementReport(of: plan, landlock: Landlock.version)
        return Confinement.addressesAreHeld(plan) ? report : report.withoutAddresses(plan)
    }

    private func setLimits() throws(ConfinementError) {
        guard plan.isConfined else {
            try ConfinementLimits.setOfLogin(openFiles: Self.openFiles, fileSize: plan.fileSize, data: dataLimit)
            _ = umask(0o022)
            return
        }
        // User 0 brings no capability back by exec.
        if ThisProcess.isRoot, plan.capabilities == 0 {
            try ConfinementError.at(
                .privileges, plan.ping ? Sandbox.lockCapabilitiesForPing : Sandbox.lockCapabilities)
        }
        try ConfinementLimits.setInherited()
        try ConfinementLimits.set(for: plan, data: dataLimit)
        _ = umask(0o077)
    }

    private func becomeUser() throws(ConfinementError) {
        let identity = plan.identity
        guard identity.kind == .account || plan.isConfined && identity.kind == .own else { return }
        // Else its programs could not open /dev/stdout and /dev/stderr by their names: the pipes are root's.
        for stream in 1...2 as ClosedRange<Int32> { _ = fchown(stream, identity.user, identity.group) }
        try ConfinementError.at(.user) { () throws(SystemError) in
            try Sandbox.become(
                user: identity.user, group: identity.group, groups: identity.groups,
                keepsRights: !plan.isConfined || plan.capabilities != 0)
            if plan.isConfined, plan.capabilities != 0 { try Sandbox.keep(capabilities: plan.capabilities) }
        }
    }

    private func enterFolder() throws(ConfinementError) {
        if plan.isConfined {
            guard unsafe chdir(plan.stateDirectory) == 0 else {
                throw ConfinementError(.stateDirectory, code: errno, object: plan.stateDirectory)
            }
        } else if unsafe chdir(plan.home) != 0, unsafe chdir("/") != 0 {
            // As cron, whose users without a home are in the root folder.
            throw ConfinementError(.stateDirectory, code: errno, object: plan.home)
        }
    }
}
