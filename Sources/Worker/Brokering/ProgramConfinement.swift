import Confining
import Linux
import TaskModel
import Wire

/// The confinement of a program that a broker starts: the same rules and the same policy as those of a worker whose programs inherit
/// them, in one filter.
struct ProgramConfinement {
    /// The descriptor of Landlock's rules, which is open as long as the process; nil: the machine has no Landlock, and the manifest says
    /// `bestEffort`.
    private(set) var rules: Int32?
    let filter: FilterProgram
    /// nil: refusals are not explained.
    private(set) var explained: ExplainedFilter?

    init(_ plan: LaunchPlan) throws(BrokerFault) {
        do throws(ConfinementError) {
            let abi = Landlock.version
            var notes = ""
            if abi > 0 {
                let made = try LandlockRuleset.make(
                    plan: plan, library: -1, system: SystemGrants(), abi: abi, foreign: Set(plan.foreign)
                ) {
                    if case .absent = $1, plan.mayBeMissing.contains($0) { return }
                    notes += "taskhost: \(PreparedConfinement.sentence($1, of: $0))\n"
                }
                rules = made.take()
            } else if !plan.bestEffort {
                throw ConfinementError(.landlockMissing, code: 0)
            }
            StandardStream.tell(Array(notes.utf8))
            var policy = SystemCallPolicy(
                network: !plan.ports.isEmpty, ownUser: plan.identity.kind == .own,
                pinsSignals: plan.identity.kind != .own && !LandlockRight.signal.isKnown(to: abi) && !plan.has(.kill),
                landlockGuardsTruncation: LandlockRight.truncate.isKnown(to: abi))
            policy.runsPrograms = true
            policy.hasBroker = !plan.sockets.isEmpty
            policy.changesAttributes = plan.changesAttributes || plan.has(.chown) || plan.has(.fowner)
            policy.hasCapabilities = plan.capabilities != 0
            policy.diskIsFull = plan.diskIsFull
            if plan.explains {
                let explained = try ExplainedFilter(policy)
                filter = explained.program
                self.explained = explained
            } else {
                filter = try FilterProgram(policy.whole)
            }
        } catch {
            throw BrokerFault(sentence: "\(error)")
        }
    }
}
