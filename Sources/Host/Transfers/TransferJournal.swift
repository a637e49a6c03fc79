import Record
import TaskModel

/// Journal entries about applications' transfers, except those for users' commands: so many an hour. Thread: the loop's.
final class TransferJournal {
    /// Recent lines about an application's transfers.
    private var lines: [ApplicationIndex: LineAllowance] = [:]
    private let decider: Decider
    private let installed: Installation
    private let announcer: Announcer

    init(_ decider: Decider, _ installed: Installation, _ announcer: Announcer) {
        self.decider = decider
        self.installed = installed
        self.announcer = announcer
    }

    /// A failed one; a cancelled one is noted by the code that cancels it.
    func noteFailure(_ end: TransferEnd, of transfer: BackgroundTransfer, _ application: ApplicationIndex) {
        guard let error = end.error, error != .cancelled else { return }
        let sentence = end.sentence.isEmpty ? error.name : end.sentence
        let url = ShownURL.text(of: transfer.request.url)
        list(.transferFailed, "transfer \(transfer.id); \(url); \(sentence) (\(error.rawValue))", of: application)
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
    func noteEvents(of session: SessionRecord, isLaunched: Bool) {
        list(
            .sessionEvents,
            "\(isLaunched ? "launched" : "called") for the events of its session \(session.stored.identifier)",
            of: session.application)
    }

    /// Its date has come, and its application ended or was suspended without saying whether it may begin.
    func noteUnanswered(_ transfer: BackgroundTransfer, _ application: ApplicationIndex) {
        let url = ShownURL.text(of: transfer.request.url)
        list(
            .sessionEvents,
            "transfer \(transfer.id); \(url); it begins with the request that it has: its application did not answer",
            of: application)
    }

    /// Adds a line to the journal, unless the application has caused too many.
    private func list(_ kind: JournalKind, _ text: String, of application: ApplicationIndex) {
        let now = decider.now.instant
        var allowance = lines[application] ?? LineAllowance(at: now)
        let unlisted = allowance.renew(at: now)
        let isListed = allowance.take()
        lines[application] = allowance
        let name = installed.name(of: application)
        if unlisted > 0 {
            announcer.note(
                kind, name, "and \(unlisted) lines more of its transfers before; see: taskhost transfers --all")
        }
        if isListed { announcer.note(kind, name, text) }
    }
}
