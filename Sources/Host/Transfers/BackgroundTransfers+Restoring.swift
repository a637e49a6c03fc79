import Record
import Scheduling
import TaskModel
import Transfers

// Restores recorded background sessions, when the host starts and when a manifest brings their application.
extension BackgroundTransfers {
    /// Restores the sessions and transfers of the installed applications, and completes unfinished moves of finished
    /// files.
    func restore() throws(StoreError) {
        try ledger.restoreNumbers()
        try restore { installed.application(named: $0) }
        // An application that the user quit stays so: its unfinished transfers end, and it is not launched for events.
        for application in sessions.applications where decider.memory(of: application).isForceQuit {
            decider.ask { $0.quit(application, at: $1) }
        }
    }

    /// A host for one verb restores nothing when it starts: it takes up an application's sessions before that opens one.
    func takeUp(_ application: ApplicationIndex) throws(StoreError) {
        guard !sessions.isKnown(application) else { return }
        try ledger.restoreNumbers()
        let identifier = installed.name(of: application)
        try restore { $0 == identifier ? application : nil }
    }

    /// Begins: from now on transfers run. Not in a host for one verb, which ends in a moment.
    func begin() {
        guard !hasBegun, decider.startsByItself else { return }
        hasBegun = true
        let conditions = decider.conditions
        decider.ask { $0.setConditions(conditions, at: $1) }
        decider.ask { $0.begin(at: $1) }
    }

    /// Its manifest is there again, or for the first time.
    func arrived(_ application: ApplicationIndex) throws(StoreError) {
        // Its user may be another one.
        parts.forgetFolder(of: application)
        decider.ask { $0.restore(application, at: $1) }
        try takeUp(application)
    }

    /// Its manifest was removed: its transfers wait.
    func left(_ application: ApplicationIndex) {
        guard sessions.isKnown(application) else { return }
        decider.ask { $0.remove(application, at: $1) }
    }

    private func restore(_ place: (String) -> ApplicationIndex?) throws(StoreError) {
        var known: [Int64: SessionRecord] = [:]
        for stored in try keeper.reader.sessions() {
            guard let application = place(stored.application), sessions.named(stored.identifier, of: application) == nil
            else {
                continue
            }
            known[stored.id] = sessions.add(stored, of: application)
        }
        guard !known.isEmpty else { return }
        var ended: [(order: Int64, transfer: TransferHandle, session: SessionRecord)] = []
        try keeper.reader.forEachOpenTransfer { stored in
            guard let session = known[stored.session], let handle = restore(stored, of: session) else { return }
            if let end = stored.end { ended.append((end.order, handle, session)) }
        }
        for (_, handle, session) in ended.sorted(by: { $0.order < $1.order }) {
            session.ends.append(handle)
            if let stored = ledger[handle]?.stored, !stored.isFileTaken, stored.end?.file.isEmpty == false {
                parts.publish(stored.id, of: session.application)
            }
            // The host died before it settled a user's transfer.
            ends.settleOwn(handle, of: session)
        }
    }

    private func restore(_ recorded: borrowing BackgroundTransfer, of session: SessionRecord) -> TransferHandle? {
        var stored = copy recorded
        // Those of one session share its texts.
        (stored.application, stored.sessionName) = (session.stored.application, session.stored.identifier)
        // A transfer with a question asks again: the answer may have been lost.
        guard let handle = decider.ask({ $0.add(stored, to: session.handle, at: $1) }) else { return nil }
        ledger.insert(OpenTransfer(stored, of: session.handle), as: handle, isFresh: false)
        session.transfers[stored.number] = handle
        if stored.isHeld { decider.ask { $0.hold(handle, at: $1) } }
        return handle
    }
}
