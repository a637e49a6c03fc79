package import Record
package import TaskModel

/// A record in memory, as plain as can be: for simulations, which play a thousand days in seconds. A turn is durable when
/// `write` returns; what survives a host is this object. Of runs that have ended it keeps the outcome alone. Hosts may have it one
/// after the other, each as `host`.
package final class MemoryStore: RecordStore {
    package private(set) var durableTurn: UInt64 = 0
    package var durabilityDescriptor: Int32? { nil }
    package var patience: TimeSpan? { nil }
    /// Of each identity at most one that waits and one that runs.
    package private(set) var waiting: [Int64: TaskRequest] = [:]
    package private(set) var running: [Int64: TaskRequest] = [:]
    /// In the order of their beginnings.
    package private(set) var unfinished: [RunRecord] = []
    package private(set) var outcomes: [ULID: Outcome] = [:]
    package private(set) var memories: [Int64: ApplicationMemory] = [:]
    package private(set) var journal: [JournalEntry] = []
    /// Oldest first.
    package private(set) var terminations: [Termination] = []
    package internal(set) var keptSessions: [Int64: StoredSession] = [:]
    package internal(set) var keptTransfers: [Int64: BackgroundTransfer] = [:]
    var given = TransferNumbers(session: 0, transfer: 0, order: 0)
    package private(set) var paused: [PausedWork: WorkPause] = [:]
    private(set) var sharedTimes: [Int64: Timestamp] = [:]
    private var untold: [ClaimToken: UntoldEnd] = [:]
    private(set) var overridden: [ConditionName: String] = [:]
    /// Changes alone, oldest first.
    private(set) var device: [DeviceLogEntry] = []
    private(set) var fileMarks: [Int64: Set<FileMark>] = [:]
    private(set) var tasks: [Int64: TaskName] = [:]
    /// Whose each task is, and with it its requests; each unfinished run; and each session.
    private var taskHosts: [Int64: HostID] = [:]
    private var runHosts: [ULID: HostID] = [:]
    var sessionHosts: [Int64: HostID] = [:]
    package var host = HostID(high: 0, low: 1)
    private(set) var applicationNames: [Int64: String] = [:]
    private(set) var setups: [Int64: RunSetup] = [:]

    package init() {}

    // MARK: The turn

    package func write(_ record: borrowing TurnRecord) throws(StoreError) {
        try check(record)
        for write in record.writes { apply(write) }
        durableTurn = record.turn
    }

    package func settle() throws(StoreError) {}

    /// A turn is taken whole or not at all, so what is wrong with it is found first.
    private func check(_ record: borrowing TurnRecord) throws(StoreError) {
        var open = Set(unfinished.map(\.id))
        var check = TransferCheck(self)
        var named = Set(applicationNames.keys)
        for write in record.writes {
            let isRight: Bool =
                switch write {
                case .runBegan(let start, _): open.insert(start.id).inserted && outcomes[start.id] == nil
                case .runExpired(let id, _, _), .runPaused(let id, _), .runResumed(let id, _): open.contains(id)
                case .runEnded(let end, _): open.remove(end.id) != nil
                case .applicationNamed(let row, let name):
                    named.insert(row).inserted && !applicationNames.values.contains(name)
                case .taskNamed(let row, let name):
                    tasks[row] == nil && !tasks.contains { $0.value == name && isOwn($0.key) }
                case .setupNamed(let row, let setup): setups[row] == nil && !setups.values.contains(setup)
                case .application(let row, _): named.contains(row)
                case .session, .sessionForgotten, .transfer, .transferEnded, .transfersForgotten: check.fits(write)
                default: true
                }
            guard isRight else {
                throw StoreError(.broken, what: "record a turn", path: "memory", message: "\(write) fits nothing")
            }
        }
    }

    private func apply(_ write: RecordWrite) {
        switch write {
        case .runBegan(let start, let waits):
            let task = name(start.task)
            runHosts[start.id] = host
            unfinished.append(
                RunRecord(
                    id: start.id, identifier: task.identifier, application: task.application, attempt: start.attempt,
                    submittedAt: start.submittedAt, startedAt: start.startedAt, waits: waits, origin: start.origin))
        case .runExpired(let id, let moment, let reason):
            guard let place = unfinished.firstIndex(where: { $0.id == id }) else { return }
            (unfinished[place].expiredAt, unfinished[place].reason) = (moment, reason)
        case .runEnded(let end, _):
            unfinished.removeAll { $0.id == end.id }
            runHosts[end.id] = nil
            outcomes[end.id] = end.outcome
        case .requestPut(let request): put(request)
        case .requestRunning(let identity, let submitted, let run):
            guard var request = waiting[identity], request.submitted == submitted else { return }
            request.running = run
            waiting[identity] = nil
            running[identity] = request
        case .requestForgotten(let identity, let submitted):
            if running[identity]?.submitted == submitted {
                running[identity] = nil
            } else if waiting[identity]?.submitted == submitted {
                waiting[identity] = nil
            }
        case .applicationNamed(let row, let name): applicationNames[row] = name
        case .taskNamed(let row, let name): (tasks[row], taskHosts[row]) = (name, host)
        case .setupNamed(let row, let setup): setups[row] = setup
        case .application(let row, let memory): memories[row] = memory
        case .journal(let line): journal.append(line)
        case .termination(let termination): terminations.append(termination)
        case .runPaused(let id, let moment):
            guard let place = unfinished.firstIndex(where: { $0.id == id }) else { return }
            unfinished[place].pauses.append(RunPause(from: moment, to: nil))
        case .runResumed(let id, let moment):
            guard let place = unfinished.firstIndex(where: { $0.id == id }),
                let pause = unfinished[place].pauses.indices.last
            else { return }
            unfinished[place].pauses[pause].to = unfinished[place].pauses[pause].to ?? moment
        case .session, .sessionForgotten, .transfer, .transferProgress, .transferState, .transferHeld, .transferRequest,
            .transferEnded, .transferFileTaken, .transferDelivered, .transfersMoved, .transfersForgotten:
            applyTransfer(write)
        case .workPaused(let work, let pause): paused[work] = pause
        case .workResumed(let work): paused[work] = nil
        case .claimEnded(let end): untold[end.token] = end
        case .claimTold(let token): untold[token] = nil
        case .timeShared(let task, let time): sharedTimes[task] = time
        case .filesSeen(let task, let marks): fileMarks[task] = marks
        case .device(let entry):
            if device.last(where: { $0.condition == entry.condition })?.value != entry.value { device.append(entry) }
        case .override(let condition, let value): overridden[condition] = value
        case .overridesCleared: overridden = [:]
        case .runInputs, .runMarked, .manifestSeen, .diagnostics, .lateDiagnostic, .output, .forgotten,
            .identifiersPruned:
            break
        }
    }

    private func put(_ request: TaskRequest) {
        var request = request
        let task = name(request.identity)
        (request.identifier, request.application) = (task.identifier, task.application)
        waiting[request.identity] = request
        if running[request.identity]?.submitted == request.submitted { running[request.identity] = nil }
    }

    func name(_ row: Int64) -> TaskName { tasks[row] ?? TaskName("", of: "") }

    /// One without a name is the own one of every host.
    func isOwn(_ task: Int64) -> Bool { (taskHosts[task] ?? host) == host }

    // MARK: What an earlier process of the host left

    package func untoldEnds() throws(StoreError) -> [UntoldEnd] { untold.values.sorted { $0.token < $1.token } }

    package func unfinishedRuns() throws(StoreError) -> [RunRecord] { unfinished.filter { runHosts[$0.id] == host } }

    package func interruptedRequests() throws(StoreError) -> [TaskRequest] {
        running.keys.sorted().filter(isOwn).flatMap { identity in
            [running[identity], waiting[identity]].compactMap { $0 }
        }
    }

    // MARK: Upkeep

    package func findForgettable(
        endedBefore moment: Timestamp, keepingNewest count: Int, limit: Int
    ) throws(StoreError) -> Forgettable { Forgettable() }

    package func findExcess(beyond limit: ByteCount) throws(StoreError) -> Forgettable { Forgettable() }
    package func identifierCount() throws(StoreError) -> Int { tasks.count }
    package func size() throws(StoreError) -> ByteCount { ByteCount(bytes: 0) }
    package var isLogLong: Bool { false }
    package func shrink() throws(StoreError) -> Shrinking { .done }
    package var reader: any RecordReader { self }
}
