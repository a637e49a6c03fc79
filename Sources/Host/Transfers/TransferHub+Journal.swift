import Record
import TaskModel

// Journal entries about transfers, except those for users' commands.
extension TransferHub {
    /// A failed one; a cancelled one is noted by the code that cancels it.
    func noteFailure(_ end: TransferEnd, of handle: TransferHandle, _ session: SessionRecord) {
        guard let error = end.error, error != .cancelled, let record = transfers[handle] else { return }
        let url = ShownURL.text(of: fresh[handle]?.request.url ?? stored(handle)?.request.url ?? "")
        let sentence = end.sentence.isEmpty ? error.name : end.sentence
        list(.transferFailed, "transfer \(record.id); \(url); \(sentence) (\(error.rawValue))", of: session.application)
    }

    /// Its run is over, and has not renewed an application's credentials.
    func noteRenewalFailure(of application: ApplicationIndex, for origin: String, _ run: ULID, _ outcome: Outcome?) {
        let words =
            outcome == .succeeded ? "the run gave none that are new" : "the run ended as \(outcome?.name ?? "unknown")"
        list(
            .renewalFailed, "the credentials for \(origin) are not renewed; \(words); see: taskhost show \(run)",
            of: application)
    }

    /// Its application is called for the session's events.
    func noteEvents(of session: SessionRecord, _ isLaunched: Bool) {
        list(
            .sessionEvents,
            "\(isLaunched ? "launched" : "called") for the events of its session \(session.stored.identifier)",
            of: session.application)
    }

    /// Adds a line to the journal, unless the application has caused too many.
    private func list(_ kind: JournalKind, _ text: String, of application: ApplicationIndex) {
        var allowance = lines[application] ?? LineAllowance(at: now.instant)
        let unlisted = allowance.renew(at: now.instant)
        let isListed = allowance.take()
        lines[application] = allowance
        let name = name(of: application)
        if unlisted > 0 {
            announcer.note(
                kind, name, "and \(unlisted) lines more of its transfers before; see: taskhost transfers --all")
        }
        if isListed { announcer.note(kind, name, text) }
    }
}
