import Engine
import Linux
import Record
import Setting
package import TaskModel
import Transferring
import Transfers

/// Background sessions and their transfers: the parts that carry out the policy's decisions, and their place in the turn. Thread:
/// the loop's.
package final class BackgroundTransfers {
    /// Workers' frames; it has the parts that serve them.
    let commands: SessionCommands
    let parts: TransferParts
    /// What the host itself sends by the same process.
    package let outgoing: Outgoing
    let decider: Decider
    let keeper: RecordKeeper
    let installed: Installation
    let announcer: Announcer
    private let workers: WorkerEffects
    let runs: RunTable
    /// Transfers go. A host that only runs tasks begins with the first one that these make.
    var hasBegun = false

    var sessions: SessionTable { commands.sessions }
    package var ledger: TransferLedger { commands.ledger }
    var attempts: TransferAttempts { commands.attempts }
    var ends: TransferEnds { commands.ends }
    var delivery: Delivery { commands.delivery }
    var credentials: Credentials { commands.credentials }

    init(
        _ place: HostPlace, _ loop: EventLoop, _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation,
        _ announcer: Announcer, _ workers: WorkerEffects, _ runs: RunTable, _ quotas: DiskQuotas
    ) throws(HostError) {
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.announcer = announcer
        self.workers = workers
        self.runs = runs
        let process = TransferProcess(executable: Self.executable(), user: place.configuration.transferUser)
        let journal = TransferJournal(decider, installed, announcer)
        outgoing = Outgoing(process, decider, announcer)
        let sessions = SessionTable(place, decider, keeper, installed)
        let ledger = TransferLedger(decider, keeper, announcer)
        parts = TransferParts(place, decider, keeper, installed, announcer, quotas, ledger)
        let credentials = Credentials(installed, parts, runs, journal)
        let delivery = Delivery(sessions, ledger, journal, decider, keeper, workers)
        let ends = TransferEnds(decider, keeper, sessions, ledger, parts, delivery, journal)
        let attempts = TransferAttempts(
            process, decider, sessions, ledger, parts, delivery, credentials, ends, announcer)
        commands = SessionCommands(
            place, decider, keeper, installed, workers, sessions, ledger, attempts, ends, delivery, credentials)
        connect(process)
        workers.listener.transfers = self
        try loop.add(process)
        try loop.add(outgoing)
    }

    /// What earlier parts, and the transfer process, ask of later ones.
    private func connect(_ process: TransferProcess) {
        decider.carryOutTransfer = { [unowned self] in carryOut($0) }
        decider.endRefused = { [unowned self] in attempts.endRefused() }
        process.report = { [unowned self] in
            if Outgoing.owns($0) { outgoing.hear($1, of: $0) } else { attempts.hear($1, of: $0) }
        }
        process.lost = { [unowned self] in
            attempts.processIsLost($0)
            outgoing.processIsLost()
        }
        ledger.view = { [unowned self] in try? view(of: $0) }
        ends.forgotten = { [unowned self] in credentials.forget($0) }
        commands.begin = { [unowned self] in begin() }
        commands.takeUp = { [unowned self] application throws(StoreError) in try takeUp(application) }
        sessions.began = { [unowned self] in application($0, isIn: decider.state(of: $0)) }
    }

    /// Beside this executable, or where `make install` puts it.
    private static func executable() -> String {
        let folder = ThisProcess.executable.split(separator: "/").dropLast().joined(separator: "/")
        let beside = "/\(folder)/taskhost-transfer"
        return FileSystem.realPath(beside) != nil ? beside : "/\(folder)/../libexec/taskhost/taskhost-transfer"
    }

    // MARK: The turn

    private func carryOut(_ decision: TransferDecision) {
        switch decision {
        case .begin(let transfer): keeper.afterCommit { [unowned self] in attempts.begin(transfer) }
        case .stop(let transfer): attempts.stop(transfer)
        case .end(let transfer, let error, let reason): attempts.decidedEnd(of: transfer, error, reason)
        case .askDelayed(let transfer): delivery.ask(.delayed, of: transfer)
        case .withdrawQuestion(let transfer): delivery.withdrawQuestion(of: transfer)
        case .waitsForNetwork(let transfer): delivery.tellNow(.waitsForConnectivity, of: transfer)
        case .rate(let transfer, let rate): attempts.process.setRate(rate, of: transfer)
        case .wake(let session): delivery.wake(session)
        }
    }

    /// Adds the changes to the turn's record, once all of them are known.
    func write() {
        sessions.write()
        ledger.write()
        attempts.write()
        ledger.tellAudience()
        delivery.write()
    }

    /// Nothing waits for the next turn.
    var isSettled: Bool {
        !decider.hasTransferDecisions && attempts.isSettled && sessions.isSettled && ledger.isSettled
            && delivery.isSettled
    }

    // MARK: Rows of the record that are set aside

    /// Says so. What the host has of a transfer it lets go, so that nothing waits for it: its row stays as it is.
    func setAside(_ fault: RowFault) {
        let what = fault.subject == .page ? "the record is damaged" : "a row of the record is set aside"
        announcer.note(.rowSetAside, "", "\(what); \(fault.sentence); see taskhost doctor")
        guard case .transfer(let id) = fault.subject, let handle = ledger.handle(of: id),
            let transfer = ledger[handle], let session = sessions[transfer.session]
        else { return }
        attempts.abandon(handle)
        parts.stopWeighing(handle, of: session.application)
        session.questions[handle] = nil
        decider.ask { _ = $0.ended(handle, at: $1) }
        ends.forget(handle, of: session)
    }

    // MARK: Applications

    /// The application's state is another one.
    func application(_ application: ApplicationIndex, isIn state: ApplicationState) {
        guard sessions.isKnown(application) else { return }
        let standing: TransferStanding =
            switch state {
            case .active, .inactive: .foreground
            case .background: .background
            case .suspended: .suspended
            case .notRunning: .notRunning
            }
        decider.ask { $0.setStanding(of: application, standing, at: $1) }
        guard standing == .foreground || standing == .background else { return }
        for session in sessions.all(of: application) where session.isReplayed { delivery.noteEvents(of: session) }
    }

    /// The worker has ended: its sessions are free again, and events that it was to handle are not handled.
    func forget(_ worker: WorkerHandle, of application: ApplicationIndex) {
        guard sessions.isKnown(application) else { return }
        for session in sessions.all(of: application) where session.opener == worker { commands.close(session) }
        delivery.forget(worker, of: application)
    }

    /// The user quits it: all its transfers are cancelled, and it receives that when the user has opened it again.
    package func quit(_ application: ApplicationIndex) {
        // A worker that is ending would receive the ends, and no later one.
        for worker in workers.table.living where worker.application == application { worker.isQuit = true }
        guard sessions.isKnown(application) else { return }
        delivery.forgetCalls(of: application)
        // The process that ends receives nothing about it.
        for session in sessions.all(of: application) { commands.close(session) }
        for session in sessions.all(of: application) where session.stored.awaitsHandling {
            session.stored.awaitsHandling = false
            sessions.noteChange(of: session)
        }
        decider.ask { $0.quit(application, at: $1) }
    }
}
