import Linux
import Record
import TaskModel
import Transferring
import Transfers

/// Background sessions and their transfers: commands of applications, decisions of the policy, the transfer process, the
/// record, and events for applications. Thread: the loop's.
package final class TransferHub {
    var sessions: [SessionHandle: SessionRecord] = [:]
    /// By their numbers in frames.
    var places: [UInt32: SessionHandle] = [:]
    var names: [ApplicationIndex: [String: SessionHandle]] = [:]
    var transfers: [TransferHandle: TransferRecord] = [:]
    var handles: [Int64: TransferHandle] = [:]
    var attempts: [TransferHandle: TransferAttempt] = [:]
    /// What could not be begun: it ends with the next turn.
    var refused: [(transfer: TransferHandle, why: TransferRefusal)] = []
    /// Transfers that were created in this turn, as they are to be written.
    var fresh: [TransferHandle: StoredTransfer] = [:]
    /// Sessions to write, and those with events to deliver once the turn is durable.
    var changedSessions: Set<SessionHandle> = []
    var talking: Set<SessionHandle> = []
    /// Events of transfers in this turn, by their numbers: the newest of each.
    private var news: [Int64: TransferNews] = [:]
    /// Sessions whose applications are launched for their events, and which are called when there is a process.
    var wanted: [ApplicationIndex: [SessionHandle]] = [:]
    /// Applications whose processes are launched for them.
    var launchedForEvents: Set<ApplicationIndex> = []
    /// Recent journal lines about an application's transfers.
    var lines: [ApplicationIndex: LineAllowance] = [:]
    /// Sessions whose completion handlers a worker has not called.
    var handling: [WorkerHandle: Set<SessionHandle>] = [:]
    /// The last numbers from the record.
    var numbers = TransferNumbers(session: 0, transfer: 0, order: 0)
    /// Credentials from applications, kept while the host lives.
    var secrets: [TransferHandle: TransferSecret] = [:]
    var authorizations: [ApplicationIndex: [String: String]] = [:]
    /// Transfers go. A host that only runs tasks begins with the first one that these make.
    var hasBegun = false
    /// Folders of unfinished files, of applications that have attempts.
    var folders: [ApplicationIndex: PartFolder] = [:]
    let process: TransferProcess
    /// What the host itself sends by the same process.
    let outgoing: Outgoing
    let place: HostPlace
    let decider: Decider
    let keeper: RecordKeeper
    let installed: Installation
    let announcer: Announcer
    let workers: WorkerEffects
    private(set) lazy var renewals = CredentialRenewals(self, runs)
    let runs: RunTable
    /// Reads the free disk space.
    var lookAtSpace: () -> Void = {}
    /// Measures an application's folders: `weighed` receives the result.
    var weighFolders: (ApplicationIndex) -> Void = { _ in }
    /// Applications with a part more that stays for another task.
    var crowded: Set<ApplicationIndex> = []
    /// What applications' unfinished files hold.
    var ledgers: [ApplicationIndex: PartLedger] = [:]
    /// The size of applications' folders where no quota measures them.
    var uses: [ApplicationIndex: FolderUse] = [:]
    let quotas: DiskQuotas

    init(
        _ place: HostPlace, _ loop: EventLoop, _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation,
        _ announcer: Announcer, _ workers: WorkerEffects, _ runs: RunTable, _ quotas: DiskQuotas
    ) throws(HostError) {
        self.quotas = quotas
        self.place = place
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.announcer = announcer
        self.workers = workers
        self.runs = runs
        process = TransferProcess(executable: TransferHub.executable(), user: place.configuration.transferUser)
        outgoing = Outgoing(process, decider, announcer)
        process.report = { [unowned self] in
            if Outgoing.owns($0) { outgoing.hear($1, of: $0) } else { hear($1, of: $0) }
        }
        process.lost = { [unowned self] in
            processIsLost($0)
            outgoing.processIsLost()
        }
        workers.tellSessions = { [unowned self] in tellSessions($0) }
        workers.listener.transfers = self
        try loop.add(process)
        try loop.add(outgoing)
    }

    /// Beside this executable, or where `make install` puts it.
    private static func executable() -> String {
        let folder = ThisProcess.executable.split(separator: "/").dropLast().joined(separator: "/")
        let beside = "/\(folder)/taskhost-transfer"
        return FileSystem.realPath(beside) != nil ? beside : "/\(folder)/../libexec/taskhost/taskhost-transfer"
    }

    var now: ClockReading { decider.now }

    // MARK: The turn

    /// Carries out decisions, until nothing is left. Before the commit.
    ///
    /// - Returns: false: there were none.
    func settle() -> Bool {
        guard endRefused() || !decider.transfers.decisions.isEmpty else { return false }
        var next = 0
        while next < decider.transfers.decisions.count {
            carryOut(decider.transfers.decisions[next])
            next += 1
        }
        decider.transfers.removeDecisions()
        assert(decider.transfers.counts.open > 64 || decider.transfers.check() == nil, "transfers are in disorder")
        return true
    }

    private func carryOut(_ decision: TransferDecision) {
        switch decision {
        case .begin(let transfer): keeper.afterCommit { [unowned self] in begin(transfer) }
        case .stop(let transfer): stop(transfer)
        case .end(let transfer, let error, let reason): decidedEnd(of: transfer, error, reason)
        case .askDelayed(let transfer): ask(.delayed, of: transfer)
        case .waitsForNetwork(let transfer): tellNow(.waitsForConnectivity, of: transfer)
        case .rate(let transfer, let rate): process.setRate(rate, of: transfer)
        case .wake(let session): wake(session)
        }
    }

    /// Adds the changes to the turn's record, once all of them are known.
    func write() {
        for handle in changedSessions {
            if let session = sessions[handle] { keeper.write(.session(session.stored)) }
        }
        changedSessions.removeAll(keepingCapacity: true)
        for stored in fresh.values.sorted(by: { $0.id < $1.id }) { keeper.write(.transfer(stored)) }
        fresh.removeAll(keepingCapacity: true)
        for (handle, attempt) in attempts where attempt.isDirty {
            attempts[handle]?.isDirty = false
            if let record = transfers[handle] { keeper.write(.transferProgress(record.id, attempt.progress)) }
        }
        tellAudience()
        guard !talking.isEmpty else { return }
        let due = talking
        talking.removeAll(keepingCapacity: true)
        keeper.afterCommit { [unowned self] in
            for handle in due { if let session = sessions[handle] { talk(session) } }
        }
    }

    /// The calendar was set: a machine without a battery-backed clock starts in the past. Without a correction, transfers
    /// from before would time out when the host restarts.
    func calendarMoved(by step: TimeSpan) {
        let least = TimeSpan.minutes(1).nanoseconds.magnitude
        guard step.nanoseconds.magnitude >= least, !transfers.isEmpty else { return }
        keeper.write(.transfersMoved(by: step))
    }

    /// Notes an event for watchers, for when the turn is durable.
    func note(_ what: TransferNews, _ handle: TransferHandle) {
        guard announcer.audience?.followsTransfers == true, let record = transfers[handle] else { return }
        if what == .changed, news[record.id] != nil { return }
        news[record.id] = what
    }

    private func tellAudience() {
        guard !news.isEmpty else { return }
        let due = news.sorted { $0.key < $1.key }
        news.removeAll(keepingCapacity: true)
        keeper.afterCommit { [unowned self] in
            for (id, what) in due {
                guard let view = try? view(of: id) else { continue }
                announcer.audience?.transfer(what) { view }
            }
        }
    }

    /// Nothing waits for the next turn.
    var isSettled: Bool {
        decider.transfers.decisions.isEmpty && refused.isEmpty && changedSessions.isEmpty && fresh.isEmpty
            && talking.isEmpty && news.isEmpty
    }

    // MARK: Looking

    func sessions(of application: ApplicationIndex) -> [SessionRecord] {
        names[application]?.values.compactMap { sessions[$0] } ?? []
    }

    func session(_ name: String, of application: ApplicationIndex) -> SessionRecord? {
        names[application]?[name].flatMap { sessions[$0] }
    }

    /// The session in a worker's frame; nil: the worker does not have it open any more.
    func session(_ number: UInt32, of worker: WorkerRecord) -> SessionRecord? {
        guard let session = places[number].flatMap({ sessions[$0] }), session.opener == worker.handle else {
            return nil
        }
        return session
    }

    func name(of application: ApplicationIndex) -> String { installed.name(of: application) }

    /// The recorded transfer as of the last written turn.
    func stored(_ transfer: TransferHandle) -> StoredTransfer? {
        guard let record = transfers[transfer] else { return nil }
        return (try? keeper.reader.transfer(record.id))?.transfer
    }

    // MARK: The policy

    /// Calls the policy, after it has received applications' states; the decisions are carried out in this turn.
    func ask<Result>(
        _ question: (inout TransferQueue, ClockReading) -> Result
    ) -> Result {
        decider.passStates()
        return question(&decider.transfers, now)
    }

    func origin(of url: String) -> UInt32 {
        // FNV-1a: two origins with the same number share its connections, which only costs time; and no table fills up.
        (WebURL(url)?.origin ?? "").utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}

/// Credentials of one transfer.
struct TransferSecret {
    var user: String
    var password: String
    /// Where they apply, `host:port`.
    var place: String
    /// The password is a bearer token.
    var isToken: Bool
}
