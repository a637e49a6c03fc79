package import Record
import TaskModel

/// What is wrong with a turn's writes of transfers, found before any of them is made.
struct TransferCheck {
    private let store: MemoryStore
    /// What the turn's writes so far make of rows; nil: they forget it.
    private var sessions: [Int64: String?] = [:]
    private var ends: [Int64: Bool?] = [:]

    init(_ store: MemoryStore) { self.store = store }

    private func name(_ application: String, _ identifier: String) -> String { "\(application) \(identifier)" }

    private func session(_ id: Int64) -> String? {
        if let changed = sessions[id] { return changed }
        return store.keptSessions[id].map { name($0.application, $0.identifier) }
    }

    private func hasEnded(_ id: Int64) -> Bool? {
        if let changed = ends[id] { return changed }
        return store.keptTransfers[id].map { $0.transfer.end != nil || $0.transfer.state == .delivered }
    }

    mutating func fits(_ write: RecordWrite) -> Bool {
        switch write {
        case .session(let row):
            let name = name(row.application, row.identifier)
            let others = Set(store.keptSessions.keys).union(sessions.keys).subtracting([row.id])
            guard !others.contains(where: { session($0) == name && store.sessionHosts[$0] ?? store.host == store.host })
            else { return false }
            sessions[row.id] = .some(name)
        case .sessionForgotten(let id): sessions[id] = .some(nil)
        case .transfer(let transfer):
            guard session(transfer.session) != nil else { return false }
            ends[transfer.id] = .some(transfer.end != nil)
        case .transferEnded(let id, _):
            guard hasEnded(id) == false else { return false }
            ends[id] = .some(true)
        case .transfersForgotten(let ids): for id in ids { ends[id] = .some(nil) }
        default: break
        }
        return true
    }
}

extension MemoryStore {
    func applyTransfer(_ write: RecordWrite) {
        switch write {
        case .session(var session):
            session.next = max(session.next, keptSessions[session.id]?.next ?? 0)
            keptSessions[session.id] = session
            sessionHosts[session.id] = host
            given.session = max(given.session, session.id)
        case .sessionForgotten(let id):
            for (number, row) in keptTransfers where row.transfer.session == id && row.transfer.state != .delivered {
                deliver(number)
            }
            keptSessions[id] = nil
        case .transfer(let transfer): put(transfer)
        case .transferProgress(let id, let progress) where isOpen(id): keptTransfers[id]?.transfer.progress = progress
        case .transferState(let id, let state) where keptTransfers[id]?.transfer.end == nil && isOpen(id):
            keptTransfers[id]?.transfer.state = state
        case .transferHeld(let id, let isHeld) where isOpen(id): keptTransfers[id]?.transfer.isHeld = isHeld
        case .transferRequest(let id, let request) where isOpen(id): keptTransfers[id]?.transfer.request = request
        case .transferEnded(let id, let end):
            keptTransfers[id]?.transfer.end = end
            keptTransfers[id]?.transfer.state = .ended
        case .transferFileTaken(let id) where isOpen(id): keptTransfers[id]?.transfer.isFileTaken = true
        case .transferDelivered(let id): deliver(id)
        case .transfersMoved(let step):
            for (id, row) in keptTransfers where isOpen(id) && row.transfer.end == nil {
                let (sum, isTooMuch) = row.transfer.created.nanoseconds.addingReportingOverflow(step.nanoseconds)
                if !isTooMuch { keptTransfers[id]?.transfer.created = Timestamp(nanoseconds: sum) }
            }
        case .transfersForgotten(let ids): for id in ids { keptTransfers[id] = nil }
        default: break
        }
    }

    private func isOpen(_ id: Int64) -> Bool { keptTransfers[id].map { $0.transfer.state != .delivered } ?? false }

    private func put(_ transfer: BackgroundTransfer) {
        guard var session = keptSessions[transfer.session] else { return }
        session.next = max(session.next, transfer.number + 1)
        keptSessions[session.id] = session
        given.transfer = max(given.transfer, transfer.id)
        keptTransfers[transfer.id] = RecordedTransfer(
            application: session.application, session: session.identifier, transfer: transfer)
        if transfer.state == .delivered { deliver(transfer.id) }
    }

    private func deliver(_ id: Int64) {
        guard var row = keptTransfers[id] else { return }
        row.transfer.state = .delivered
        row.transfer.request.url = ShownURL.text(of: row.transfer.request.url)
        (row.transfer.request.headers, row.transfer.request.text, row.transfer.request.resumeData) = ([], "", [])
        (row.transfer.progress.validator, row.transfer.progress.uploadLocation) = ("", "")
        row.transfer.progress.url = ""
        row.transfer.end?.url = ""
        row.transfer.end?.headers = []
        row.transfer.end?.resumeData = []
        keptTransfers[id] = row
    }

    // MARK: Reading

    package func sessions() throws(StoreError) -> [StoredSession] {
        keptSessions.values.filter { sessionHosts[$0.id] == host }.sorted { $0.id < $1.id }
    }

    package func transferNumbers() throws(StoreError) -> TransferNumbers {
        var numbers = given
        numbers.order = keptTransfers.values.compactMap { $0.transfer.end?.order }.max() ?? 0
        return numbers
    }

    package func forEachOpenTransfer(_ body: (borrowing RecordedTransfer) -> Void) throws(StoreError) {
        for id in keptTransfers.keys.sorted() where isOpen(id) { if let row = keptTransfers[id] { body(row) } }
    }

    package func transfer(_ id: Int64) throws(StoreError) -> RecordedTransfer? { keptTransfers[id] }

    package func transfers(
        application: String?, isOpen: Bool, before: Int64?, limit: Int
    ) throws(StoreError) -> RowPage<RecordedTransfer> {
        let wanted = keptTransfers.values.filter {
            application ?? $0.application == $0.application && $0.transfer.id < before ?? .max
                && (!isOpen || $0.transfer.state != .delivered)
        }.sorted { $0.transfer.id > $1.transfer.id }.prefix(limit)
        return Page(elements: Array(wanted), next: wanted.count < limit ? nil : wanted.last?.transfer.id)
    }
}
