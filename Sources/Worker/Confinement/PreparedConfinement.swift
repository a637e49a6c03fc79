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
        let policy = Self.policy(plan, template)
        ownFilter = template.serves(policy) ? nil : try template.filter(policy)
        var notes = ""
        ruleset =
            if let inherited {
                inherited >= 0 ? Descriptor(adopting: inherited) : nil
            } else if abi > 0 {
                try LandlockRuleset.make(
                    plan: plan, library: library, system: template.system, abi: abi, foreign: foreign
                ) {
                    if case .absent = $1, plan.mayBeMissing.contains($0) { return }
                    notes += "taskhost: \(Self.sentence($1, of: $0))\n"
                }
            } else {
                nil
            }

        self.plan = plan
        self.foreign = foreign
        dataLimit = try ConfinementLimits.data(of: plan)
        self.fingerprint = fingerprint
        self.notes = notes
        environment = EnvironmentBlock(WorkerEnvironment.make(plan))
        report = Self.report(plan, template)
    }

    static func sentence(_ finding: GrantResolver.Finding, of path: String) -> String {
        switch finding {
        case .absent(let code): "no access was granted to \(path): \(Errno(code))"
        case .untrusted(let link):
            "no access was granted to \(path): \(link) is a link in a folder that an application may write"
        case .link(let place): "the granted path \(path) is a link: it grants \(place)"
        }
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

    private static func policy(
        _ plan: LaunchPlan, _ template: borrowing ConfinementTemplate
    ) -> SystemCallPolicy {
        var policy = template.policy
        policy.network = !plan.ports.isEmpty
        policy.runsPrograms = !plan.execute.isEmpty
        if plan.identity.kind == .account { policy.share(landlockABI: template.landlockABI) }
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
        return try LandlockRuleset.make(
            plan: plan, library: -1, system: template.system, abi: template.landlockABI, foreign: foreign
        ) { _, _ in }.take()
    }

    /// Whether it still is right for this plan and library: nothing that a rule names was replaced. When it is not, make
    /// another.
    package func isCurrent(
        for plan: LaunchPlan, library: Int32, template: borrowing ConfinementTemplate
    ) -> Bool {
        self.plan == plan && fingerprint == Self.fingerprint(plan, library, template)
    }

    private static func fingerprint(
        _ plan: LaunchPlan, _ library: Int32, _ template: borrowing ConfinementTemplate
    ) -> RulesFingerprint {
        let system = template.system.replaceable(
            network: !plan.ports.isEmpty, programs: !plan.execute.isEmpty)
        return RulesFingerprint(
            paths: [plan.stateDirectory, plan.cacheDirectory] + plan.write + plan.read + system
                + LandlockRuleset.programs(of: plan, foreign: []),
            listed: (template.system.neighbours(of: plan.library).map { [$0] } ?? [])
                + ProgramNeighbours.folders(of: plan.execute), descriptor: library)
    }

    /// The worker's report when no program enforces addresses, although the host expected it.
    func reportWithoutAddresses() -> ConfinementReport {
        var report = report
        report.degraded += Self.network(plan, Int32(report.landlockABI))
        return report
    }

    /// How much wider than its grants a worker's network is without such programs: the filter sees no addresses, and
    /// Landlock compares ports alone, since it has that right.
    private static func network(_ plan: LaunchPlan, _ abi: Int32) -> [String] {
        guard !plan.ports.isEmpty else { return [] }
        var parts: [String] = []
        if plan.namesHosts { parts.append("network.host") }
        if !LandlockRight.connect.isKnown(to: abi) || (plan.namesHosts && plan.allowsAnyPort) {
            parts.append("network.port")
        }
        return parts.isEmpty ? [] : ["network"] + parts
    }

    private static func report(
        _ plan: LaunchPlan, _ template: borrowing ConfinementTemplate
    ) -> ConfinementReport {
        let abi = template.landlockABI
        var degraded: [String] = []
        if abi == 0 { degraded.append("landlock") }
        if !plan.holdsAddresses { degraded += Self.network(plan, abi) }
        if plan.processes == 0 && !plan.limitsProcesses { degraded.append("processes") }
        return ConfinementReport(
            landlockABI: UInt8(clamping: abi), seccomp: true, ownUser: plan.identity.kind == .own, degraded: degraded)
    }
}
