import Confining
import Wire

extension ConfinementReport {
    /// What a worker with this plan has.
    ///
    /// - Parameter abi: Landlock's version.
    init(of plan: LaunchPlan, landlock abi: Int32) {
        var degraded: [String] = []
        if abi == 0 { degraded.append("landlock") }
        if !plan.holdsAddresses { degraded += Self.network(plan, abi) }
        if plan.processes == 0 && !plan.limitsProcesses { degraded.append("processes") }
        self.init(
            landlockABI: UInt8(clamping: abi), seccomp: true, ownUser: plan.identity.kind == .own, degraded: degraded)
    }

    /// The same when no program enforces addresses, although the host expected it.
    func withoutAddresses(_ plan: LaunchPlan) -> ConfinementReport {
        var report = self
        report.degraded += Self.network(plan, Int32(landlockABI))
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
}
