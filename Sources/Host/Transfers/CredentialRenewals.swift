import Engine
import JSON
import Setting
import TaskModel

/// Renewals of credentials: when a server rejects an application's credentials, the host runs the task that its manifest
/// names for that, and the transfers continue with the result. At most one runs for a server of an application at a time.
/// Thread: the loop's.
final class CredentialRenewals {
    private var runs: [RunHandle: Renewal] = [:]
    private let installed: Installation
    private let table: RunTable
    private let journal: TransferJournal
    /// What an application shows a server at present; nil: nothing.
    var known: (ApplicationIndex, _ origin: String) -> String? = { _, _ in nil }
    /// A transfer that waited for a run continues, if there is a new credential.
    var renewed: (TransferHandle, _ isRenewed: Bool) -> Void = { _, _ in }

    private struct Renewal {
        let application: ApplicationIndex
        let origin: String
        /// The credential before; nil: none.
        let old: String?
        var waiting: [TransferHandle]
    }

    init(_ installed: Installation, _ table: RunTable, _ journal: TransferJournal) {
        self.installed = installed
        self.table = table
        self.journal = journal
    }

    enum Answer {
        /// No task renews them, or the server rejects the renewed one too.
        case refused
        /// The transfer waits for a run.
        case waits
        /// They have been renewed since it began.
        case renewed
    }

    /// A server requires other credentials for the transfer, which has stopped.
    ///
    /// - Parameter shown: the renewed credential that it used; nil: none.
    func renew(
        for transfer: TransferHandle, of application: ApplicationIndex, url: String, shown: String?,
        _ challenge: TransferChallenge
    ) -> Answer {
        let definition = installed.applications[application].definition
        guard let renewal = definition.transfers.renewal, !challenge.isProxy,
            definition.transfers.renews(for: challenge.host), let origin = WebURL(url)?.origin,
            WebURL(url)?.host == challenge.host.lowercased(), challenge.failures == 0,
            let task = installed.task(named: renewal.task), installed.tasks[task].application == application,
            !installed.tasks[task].isRemoved
        else { return .refused }
        if let run = runs.first(where: { $0.value.application == application && $0.value.origin == origin })?.key {
            runs[run]?.waiting.append(transfer)
            return .waits
        }
        let known = known(application, origin)
        guard known == nil || known == shown else { return .renewed }
        let payload = JSONOutput.object([
            "url": .string(ShownURL.text(of: url)), "origin": .string(origin), "realm": .string(challenge.realm),
            "method": .string(String(describing: challenge.method)),
        ])
        let run = table.admit(task, context: RunContext(payload: Array(payload.text().utf8), observer: self))
        runs[run] = Renewal(application: application, origin: origin, old: known, waiting: [transfer])
        return .waits
    }

    /// The server that a run renews an application's credentials for; nil: it does not.
    func origin(of run: RunHandle, in application: ApplicationIndex) -> String? {
        runs[run].flatMap { $0.application == application ? $0.origin : nil }
    }

    /// Whether the transfer waits for one.
    func isAwaited(by transfer: TransferHandle) -> Bool {
        runs.values.contains { $0.waiting.contains(transfer) }
    }
}

extension CredentialRenewals: RunObserver {
    func run(_ run: RunHandle, didEnd slot: RunSlot) {
        guard let renewal = runs.removeValue(forKey: run) else { return }
        let new = known(renewal.application, renewal.origin)
        let isRenewed = slot.outcome == .succeeded && new != nil && new != renewal.old
        if !isRenewed {
            journal.noteRenewalFailure(of: renewal.application, for: renewal.origin, slot.id, slot.outcome)
        }
        for transfer in renewal.waiting { renewed(transfer, isRenewed) }
    }
}
