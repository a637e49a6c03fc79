package import Record
package import Setting
import TaskModel

/// Announces events: to watchers at once, to the journal with the turn's commit, and the host's main events to its log.
/// Thread: the loop's.
package final class Announcer {
    /// Receives all events.
    package weak var audience: (any HostAudience)?
    /// The host's log; nil: there is none.
    package var log: HostLog?
    /// The user who requested the present work; nil: no user did.
    package var actor: UInt32?
    private let decider: Decider
    private let keeper: RecordKeeper

    init(_ decider: Decider, _ keeper: RecordKeeper) {
        self.decider = decider
        self.keeper = keeper
    }

    /// Adds a line to the journal, and notifies the watchers.
    package func note(_ kind: JournalKind, _ subject: String, _ text: String) {
        let text = actor.map { "\(text) (user \($0))" } ?? text
        let entry = JournalEntry(at: decider.now.time, kind: kind, subject: subject, text: text)
        keeper.write(.journal(entry))
        audience?.journal(entry)
        // The line that it serves is in the log already.
        guard let log, kind.isLife || (log.includesAll && kind != .hostStarted) else { return }
        log.add(LogEntry(entry))
    }

    /// The host ends a process of an application.
    func note(_ termination: Termination) {
        let open = termination.openWords { assertion in
            guard let place = assertion.frames.first else { return nil }
            let file = place.module.split(separator: "/").last ?? "?"
            return "begun at \(file)+0x\(String(place.offset, radix: 16))"
        }
        let text = [termination.words, open].compactMap { $0 }.joined(separator: "; ")
        note(.terminated, termination.application, text)
        audience?.didTerminate(termination)
    }

}

extension JournalKind {
    /// Whether it belongs in the host's log. Events of applications do not: they could fill a terminal.
    fileprivate var isLife: Bool {
        switch self {
        case .hostStopped, .deviceOverride, .deviceReset, .quarantined, .quarantineLifted, .forceQuit, .opened,
            .refreshDenied, .refreshAllowed, .manifestBroken, .clockJump, .timeZoneChanged, .busLost, .busFound,
            .fleetLost, .fleetFound,
            .shortage, .terminated, .launchFailed, .crashed, .workPaused, .workResumed,
            .rowSetAside, .simulatedFault:
            true
        case .hostStarted, .requestSubmitted, .requestReplaced, .requestCancelled, .requestRefused,
            .simulatedLaunch, .simulatedExpiration, .misuse, .manifestLoaded, .manifestRemoved, .timeLeftOut,
            .processPrinted, .notification, .sleepNotBlocked, .transferProcessLost, .transferFailed, .transferAdded,
            .transferPaused, .transferResumed, .transferCancelled, .renewalFailed, .sessionEvents:
            false
        }
    }
}
