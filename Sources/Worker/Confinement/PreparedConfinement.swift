package import Confining
import Linux
package import Wire

/// All that the confinement of one plan needs, made ready before the fork: the child then only makes system calls. It
/// serves any number of workers with the same plan, as long as `isCurrent`.
///
/// *Ownership*: it closes the ruleset's descriptor at its end; where it was applied, the worker has closed it already.
package final class PreparedConfinement {
    /// The plan it was made for.
    package let plan: LaunchPlan
    let environment: EnvironmentBlock
    /// nil where the plan does without Landlock, and when it was taken.
    private var ruleset: Descriptor?
    /// `RLIMIT_DATA`; 0 for none.
    let dataLimit: UInt64
    /// Lines for the worker's log: grants that were left out.
    let notes: String
    let report: ConfinementReport
    private let fingerprint: RulesFingerprint
    /// nil: one of the template's.
    private let ownFilter: FilterProgram?
    private let foreign: Set<String>

    /// Prepares a plan.
    ///
    /// - Parameters:
    ///   - library: the descriptor of the application's library, or -1.
    ///   - foreign: folders that applications may write, whosever; in them no link is followed.
    ///   - ruleset: one that another process created for the same plan; it is taken over. nil: create it here.
    /// - Throws: `.landlockMissing`, `.user`, `.ruleset`, `.limits`.
    package init(
        _ plan: LaunchPlan, library: Int32, template: borrowing ConfinementTemplate, foreign: Set<String> = [],
        ruleset inherited: Int32? = nil
    ) throws(ConfinementError) {
        let abi = template.landlockABI
        guard abi > 0 || plan.bestEffort else { throw ConfinementError(.landlockMissing, code: 0) }
        try Self.check(plan.identity, template)
        let fingerprint = Self.fingerprint(plan, library, template)
        let policy = Self.policy(plan, template.policy, landlockABI: abi)
        ownFilter = template.serves(policy) ? nil : try template.filter(policy)
        var notes = ""
        ruleset =
            if let inherited {
                inherited >= 0 ? Descriptor(adopting: inherited) : nil
            } else if abi > 0 {
                try LandlockRuleset.make(
                    plan: plan, library: library, system: template.system, abi: abi, foreign: foreign, notes: &notes)
            } else {
                nil
            }

        self.plan = plan
        self.foreign = foreign
        dataLimit = try ConfinementLimits.data(of: plan)
        self.fingerprint = fingerprint
        self.notes = notes
        environment = EnvironmentBlock(WorkerEnvironment.make(plan))
        report = ConfinementReport(of: plan, landlock: abi)
    }

    /// A root host's workers become another user, others do not.
    private static func check(
        _ identity: WorkerIdentity, _ template: borrowing ConfinementTemplate
    ) throws(ConfinementError) {
        let isRight =
            switch identity.kind {
            case .host: !template.isRoot
            case .own: template.isRoot && identity.user != 0 && identity.group != 0
            case .account: template.isRoot
            }
        guard isRight else {
            throw ConfinementError(
                .user, code: Errno.EPERM.rawValue, object: "user \(identity.user), group \(identity.group)")
        }
    }

    /// - Parameter common: of a worker without any grant.
    static func policy(
        _ plan: LaunchPlan, _ common: SystemCallPolicy, landlockABI abi: Int32
    ) -> SystemCallPolicy {
        var policy = common
        policy.network = !plan.ports.isEmpty
        policy.runsPrograms = !plan.execute.isEmpty
        if plan.identity.kind == .account { policy.share(landlockABI: abi) }
        if plan.changesAttributes { policy.changesAttributes = true }
        policy.diskIsFull = plan.diskIsFull
        return policy
    }

    /// The filter that the worker adds, made fit for the calling process.
    func filter(_ template: borrowing ConfinementTemplate) -> FilterProgram {
        (ownFilter ?? template.filter(network: !plan.ports.isEmpty)).pinned(to: ThisProcess.pid)
    }

    /// Gives the ruleset's descriptor away, in the process that is being confined. -1: there is none.
    func takeRuleset() -> Int32 {
        ruleset.take()?.take() ?? -1
    }

    /// The descriptor of rules for a process that has shared memory of its own, in that process. -1: there is none.
    func makeRuleset(_ template: borrowing ConfinementTemplate) throws(ConfinementError) -> Int32 {
        guard template.landlockABI > 0 else { return -1 }
        var plan = plan
        plan.hasOwnMemory = true
        // What is said of grants was said before.
        var notes = ""
        return try LandlockRuleset.make(
            plan: plan, library: -1, system: template.system, abi: template.landlockABI, foreign: foreign, notes: &notes
        ).take()
    }

    /// Whether it still is right for this plan and library: nothing that a rule names was replaced. When it is not, make
    /// another.
    package func isCurrent(
        for plan: LaunchPlan, library: Int32, template: borrowing ConfinementTemplate
    ) -> Bool {
        self.plan == plan && fingerprint == Self.fingerprint(plan, library, template)
    }

    /// The files that its rules name, as they are now and as the calling process sees them.
    func filesNow(library: Int32, template: borrowing ConfinementTemplate) -> RulesFingerprint {
        Self.fingerprint(plan, library, template)
    }

    private static func fingerprint(
        _ plan: LaunchPlan, _ library: Int32, _ template: borrowing ConfinementTemplate
    ) -> RulesFingerprint {
        let system = template.system.replaceable(
            network: !plan.ports.isEmpty, programs: !plan.execute.isEmpty)
        return RulesFingerprint(
            paths: [plan.stateDirectory, plan.cacheDirectory] + plan.write + plan.read + system
                + PlanGrants.programs(of: plan, foreign: []),
            listed: (template.system.neighbours(of: plan.library).map { [$0] } ?? [])
                + ProgramNeighbours.folders(of: plan.execute), descriptor: library)
    }
}
