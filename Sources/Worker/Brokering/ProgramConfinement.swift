import Confining
import Linux
import TaskModel
import Wire

/// The confinement of a program that a broker starts: the same rules and the same policy as those of a worker whose programs inherit
/// them, in one filter.
struct ProgramConfinement {
    /// The descriptor of Landlock's rules, which is open as long as the process; nil: the machine has no Landlock, and the manifest says
    /// `bestEffort`.
    let rules: Int32?
    private let policy: SystemCallPolicy
    private let isRecorded: Bool

    init(_ plan: LaunchPlan, rules: Int32?) {
        let abi = Landlock.version
        var policy = SystemCallPolicy(
            network: !plan.ports.isEmpty, ownUser: plan.identity.kind == .own,
            pinsSignals: plan.identity.kind != .own && !LandlockRight.signal.isKnown(to: abi) && !plan.has(.kill),
            landlockGuardsTruncation: LandlockRight.truncate.isKnown(to: abi))
        policy.runsPrograms = true
        policy.hasBroker = !plan.sockets.isEmpty
        policy.sendsEcho = plan.ping
        policy.changesAttributes = plan.changesAttributes || plan.has(.chown) || plan.has(.fowner)
        policy.hasCapabilities = plan.capabilities != 0
        policy.diskIsFull = plan.diskIsFull
        self.rules = rules
        self.policy = policy
        isRecorded = plan.isRecorded
    }

    /// The filter of a program that a broker is told of; nil: it needs none.
    func asking(explains: Bool) throws(BrokerFault) -> (program: FilterProgram, explained: ExplainedFilter?)? {
        guard explains || policy.hasBroker || policy.sendsEcho else { return nil }
        do throws(ConfinementError) {
            guard explains else { return (try FilterProgram(policy.whole), nil) }
            let explained = try ExplainedFilter(policy)
            return (explained.program, explained)
        } catch {
            throw BrokerFault(sentence: "\(error)")
        }
    }

    /// Confines this process, and executes the program in its place: nobody has to be told of its calls.
    func become(_ words: [String], _ variables: [String]) throws(BrokerFault) -> Never {
        do throws(ConfinementError) {
            let filter = try FilterProgram(policy.whole)
            try ConfinementError.at(.privileges, Sandbox.forbidNewPrivileges)
            if let rules {
                try ConfinementError.at(.landlock) { () throws(SystemError) in
                    try Landlock.enter(rules, logsPrograms: isRecorded)
                }
            }
            try filter.install()
        } catch {
            throw BrokerFault(sentence: "\(error)")
        }
        let code = ThisProcess.execute(words, environment: variables)
        StandardStream.tell(Array("taskhost-worker: \(words[0]) cannot be executed: \(code)\n".utf8))
        // As a shell has it (sh(1p), "Exit status for commands").
        ThisProcess.exit(code == .ENOENT ? 127 : 126)
    }
}
