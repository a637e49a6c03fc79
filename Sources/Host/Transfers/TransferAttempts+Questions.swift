import Record
import TaskModel
import Transferring
import Transfers
import Wire

// What a server demands, and an application has to answer.
extension TransferAttempts {
    /// Asks whether the server is trusted, once for each host, if a process wants to be asked.
    func asksTrust(_ handle: TransferHandle, _ transfer: OpenTransfer, _ session: SessionRecord) -> Bool {
        guard session.asksServerTrust, delivery.listener(of: session) != nil,
            let url = WebURL(transfer.stored.request.url), url.scheme == "https", !session.trusted.contains(url.host)
        else { return false }
        decider.ask { _ = $0.attemptEnded(handle, .asks, at: $1) }
        let challenge = TransferChallenge(.serverTrust, host: url.host, port: url.port, isSecure: true)
        delivery.ask(.challenge(challenge), of: handle)
        return true
    }

    /// A server requires credentials: the application is asked, unless it has answered that it has none.
    func challenged(_ handle: TransferHandle, _ attempt: TransferAttempt, _ asked: TransferChallenge?) {
        // Its order said that the application has none; or that cannot be what a transfer process reports.
        guard let transfer = ledger[handle], transfer.failures < .max, var challenge = asked else {
            return ends.end(
                handle, TransferRefusal(.userAuthenticationRequired, "the server wants credentials"), attempt)
        }
        let failures = transfer.failures
        challenge.failures = failures
        transfer.failures = min(failures, .max - 2) + 1
        credentials.forget(handle)
        ledger.remember(attempt.progress, of: handle)
        let session = sessions[transfer.session]
        let answer = session.map {
            credentials.renewals.renew(
                for: handle, of: $0.application, url: transfer.stored.request.url, shown: attempt.shown, challenge)
        }
        switch answer {
        case .refused where session?.stored.identifier == SessionTable.own:
            // No application could answer.
            ends.end(
                handle,
                TransferRefusal(
                    .userAuthenticationRequired,
                    "the \(challenge.isProxy ? "proxy" : "server") wants credentials; \(challenge.host); "
                        + "add the transfer again with --header 'Authorization: …'"),
                attempt, status: challenge.isProxy ? 407 : 401)
        case .refused, nil:
            decider.ask { _ = $0.attemptEnded(handle, .asks, at: $1) }
            delivery.ask(.challenge(challenge), of: handle)
        case .waits:
            // For the run, without launching an application.
            decider.ask { $0.hold(handle, at: $1) }
            decider.ask { _ = $0.attemptEnded(handle, .stopped, at: $1) }
        case .renewed:
            // Not counted as a failure of the renewed credential.
            transfer.failures = failures
            decider.ask { _ = $0.attemptEnded(handle, .stopped, at: $1) }
        }
    }

    /// The run that renews its credentials has ended: it continues, or its application is asked.
    func renewed(_ handle: TransferHandle, _ isRenewed: Bool) {
        guard let transfer = ledger[handle] else { return }
        // Without new ones the server asks again, and then it is the application's turn.
        if !isRenewed { transfer.failures = max(1, transfer.failures) }
        // The user may have paused it.
        guard !transfer.stored.isHeld else { return }
        decider.ask { $0.release(handle, at: $1) }
    }
}
