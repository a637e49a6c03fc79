package import Record
import TaskModel

/// Tells what happens: whoever watches at once, the journal with the turn's commit, and of the host's life, in lines, whoever
/// started it. Thread: the loop's.
package final class Announcer {
    /// Hears of everything.
    package weak var audience: (any HostAudience)?
    /// Writes a line of the host's life: `what; where; more of it`. nil: nobody reads them.
    package var say: ((String) -> Void)?
    /// The user who asked for what is being done; nil: nobody did.
    var actor: UInt32?
    private let decider: Decider
    private let keeper: RecordKeeper

    init(_ decider: Decider, _ keeper: RecordKeeper) {
        self.decider = decider
        self.keeper = keeper
    }

    /// Puts a line into the journal, and tells whoever listens.
    package func note(_ kind: JournalKind, _ subject: String, _ text: String) {
        let text = actor.map { "\(text) (user \($0))" } ?? text
        keeper.write(.journal(JournalEntry(at: decider.now.time, kind: kind, subject: subject, text: text)))
        audience?.journal(kind.name, subject: subject, text: text)
        guard kind.isLife, let say else { return }
        say([kind.name, subject, text].filter { !$0.isEmpty }.joined(separator: "; "))
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

    /// A process crashed under a run.
    func noteCrash(of identifier: String, _ run: ULID, signal: Int32?) {
        say?("crashed; \(identifier)\(signal.map { ", signal \($0)" } ?? ""); see: taskhost show \(run)")
    }
}

extension JournalKind {
    /// Whether whoever started the host wants to see it. What applications do is not part of it: they could fill a terminal.
    fileprivate var isLife: Bool {
        switch self {
        case .hostStopped, .deviceOverride, .deviceReset, .quarantined, .quarantineLifted, .forceQuit, .opened,
            .refreshDenied, .refreshAllowed, .manifestBroken, .clockJump, .timeZoneChanged, .busLost, .busFound,
            .shortage, .terminated, .launchFailed, .crashed:
            true
        case .hostStarted, .requestSubmitted, .requestReplaced, .requestCancelled, .requestRefused,
            .simulatedLaunch, .simulatedExpiration, .misuse, .manifestLoaded, .manifestRemoved, .timeLeftOut,
            .processPrinted, .notification, .sleepNotBlocked, .transferProcessLost, .transferFailed, .transferAdded,
            .transferPaused, .transferResumed, .transferCancelled, .renewalFailed, .sessionEvents:
            false
        }
    }
}
