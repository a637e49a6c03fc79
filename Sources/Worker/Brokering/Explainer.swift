import Confining
import Learning
import Linux
import TaskModel
import Wire

/// Decides about confined calls as their filter would, and tells which of them the confinement refuses. What Landlock decides about is
/// derived: the kernel does the call and tells nobody how it went.
///
/// *Thread*: the process's only one.
final class Explainer {
    private let listener: CallListener
    private let calls: [Int32: (name: String, decision: FilterDecision)]
    private let notes: CallNotes<DenialReport>
    private let changesAttributes: Bool
    private let sendsEcho: Bool

    /// - Parameters:
    ///   - listener: tells of the calls.
    ///   - plan: whose grants count.
    ///   - tell: receives each refusal once.
    init(
        of listener: CallListener, _ filter: ExplainedFilter, _ plan: LaunchPlan, tell: @escaping (Denial) -> Void
    ) {
        self.listener = listener
        calls = filter.calls
        sendsEcho = plan.ping
        changesAttributes = plan.changesAttributes || plan.identity.kind == .own
        notes = CallNotes(
            of: listener,
            grants: WatchedGrants(Self.grants(of: plan)),
            DenialReport(ports: plan.ports, abi: Landlock.version, tell))
    }

    private static func grants(of plan: LaunchPlan) -> [SystemGrants.Grant] {
        let runtime = SwiftRuntime.ofThisProcess ?? SwiftRuntime.told
        let grants = PlanGrants(plan, system: SystemGrants(runtime: runtime), foreign: Set(plan.foreign)).all
        return plan.library.isEmpty ? grants : grants + [SystemGrants.Grant(path: plan.library, access: .readFile)]
    }

    /// Of the program itself: the process that executes it is a copy of this one, and shows no memory.
    func noteStart(of file: String) { notes.noteCapabilities(of: file) { ThisProcess.brokerName } }

    /// Answers a call that the filter tells of.
    func answer(_ notice: SystemCallNotice) {
        guard let (name, decision) = calls[notice.number] else { return listener.refuse(notice, .EPERM) }
        switch decision.verdict(for: notice.arguments) {
        case .allow:
            notes.note(WatchedCall(named: name), name, notice)
            listener.permit(notice)
        case .refuse(let code):
            if code == .EPERM || code == .EACCES { noteRefused(name, notice) }
            listener.refuse(notice, code)
        case .notify, .kill: listener.refuse(notice, .EPERM)
        }
    }

    /// SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, which nscd's clients ask for (nscd(8)).
    private static let typeOfNameCache: UInt32 = 0o2_004_001

    private func noteRefused(_ name: String, _ notice: SystemCallNotice) {
        let call = WatchedCall(named: name)
        switch call {
        // Then a mode with a set-user-ID bit is left.
        case .attributes where changesAttributes:
            notes.report.add(Denial(.call, "\(name), with a set-user-ID or set-group-ID bit", .derived))
        case .attributes, .connect, .bind, .sendTo, .sendMessage, .sendMessages: notes.note(call, name, notice)
        case .other where name == "socket":
            let (domain, type, number) = WatchedCall.socket(notice)
            let isStream = type == 1
            if SocketNumber.isICMP(domain, type, number) {
                // Granted, it is a raw one.
                let denial =
                    sendsEcho ? Denial(.call, "a raw socket of ICMP", .derived) : Denial(.ping, Denial.echo, .derived)
                return notes.report.add(denial)
            }
            if domain == SocketNumber.AF_UNIX {
                // Nobody misses the C library's cache of names, which every lookup of a user asks first.
                if UInt32(truncatingIfNeeded: notice.arguments[1]) == Self.typeOfNameCache { return }
                notes.report.add(Denial(.sockets, "a Unix socket", .derived))
            } else if [SocketNumber.AF_INET, SocketNumber.AF_INET6].contains(domain) {
                notes.report.add(
                    isStream ? Denial(.network, "the network", .derived) : Denial(.call, "a UDP socket", .derived))
            } else if domain == SocketNumber.AF_NETLINK {
                // C libraries ask for the machine's addresses, and do without.
                return
            } else {
                notes.report.add(Denial(.call, "a socket of another family (\(domain))", .derived))
            }
        default: notes.report.add(Denial(.call, name, .derived))
        }
    }

    /// The machine lets no group of the run send ICMP echo requests, whatever its manifest says.
    func noteRefusedEcho() {
        notes.report.add(
            Denial(.call, "ICMP echo requests, for which net.ipv4.ping_group_range has no group of its user", .derived))
    }

    /// The broker refused the program a connection.
    func noteRefused(socket place: String) { notes.report.add(Denial(.sockets, place, .derived)) }
}
