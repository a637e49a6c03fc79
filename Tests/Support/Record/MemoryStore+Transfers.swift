package import Record
package import TaskModel

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
        return store.keptTransfers[id].map { $0.end != nil || $0.state == .delivered }
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
            for (number, row) in keptTransfers where row.session == id && row.state != .delivered {
                deliver(number)
            }
            keptSessions[id] = nil
        case .transfer(let transfer): put(transfer)
        case .transferProgress(let id, let progress) where isOpen(id): keptTransfers[id]?.progress = progress
        case .transferState(let id, let state) where keptTransfers[id]?.end == nil && isOpen(id):
            keptTransfers[id]?.state = state
        case .transferHeld(let id, let isHeld) where isOpen(id): keptTransfers[id]?.isHeld = isHeld
        case .transferRequest(let id, let request) where isOpen(id): keptTransfers[id]?.request = request
        case .transferEnded(let id, let end):
            keptTransfers[id]?.end = end
            keptTransfers[id]?.state = .ended
        case .transferFileTaken(let id) where isOpen(id): keptTransfers[id]?.isFileTaken = true
        case .transferDelivered(let id): deliver(id)
        case .transfersMoved(let step):
            for (id, row) in keptTransfers where isOpen(id) && row.end == nil {
                let (sum, isTooMuch) = row.created.nanoseconds.addingReportingOverflow(step.nanoseconds)
                if !isTooMuch { keptTransfers[id]?.created = Timestamp(nanoseconds: sum) }
            }
        case .transfersForgotten(let ids): for id in ids { keptTransfers[id] = nil }
        default: break
        }
    }

    private func isOpen(_ id: Int64) -> Bool { keptTransfers[id].map { $0.state != .delivered } ?? false }

    private func put(_ transfer: BackgroundTransfer) {
        guard var session = keptSessions[transfer.session] else { return }
        session.next = max(session.next, transfer.number + 1)
        keptSessions[session.id] = session
        given.transfer = max(given.transfer, transfer.id)
        var transfer = transfer
        (transfer.application, transfer.sessionName) = (session.application, session.identifier)
        keptTransfers[transfer.id] = transfer
        if transfer.state == .delivered { deliver(transfer.id) }
    }

    private func deliver(_ id: Int64) {
        guard var row = keptTransfers[id] else { return }
        row.state = .delivered
        row.request.url = ShownURL.text(of: row.request.url)
        (row.request.headers, row.request.text, row.request.resumeData) = ([], "", [])
        (row.progress.validator, row.progress.uploadLocation) = ("", "")
        row.progress.url = ""
        row.end?.url = ""
        row.end?.headers = []
        row.end?.resumeData = []
        keptTransfers[id] = row
    }

    // MARK: Reading

    package func sessions() throws(StoreError) -> [StoredSession] {
        keptSessions.values.filter { sessionHosts[$0.id] == host }.sorted { $0.id < $1.id }
    }

    package func transferNumbers() throws(StoreError) -> TransferNumbers {
        var numbers = given
        numbers.order = keptTransfers.values.compactMap { $0.end?.order }.max() ?? 0
        return numbers
    }

    package func forEachOpenTransfer(_ body: (borrowing BackgroundTransfer) -> Void) throws(StoreError) {
        for id in keptTransfers.keys.sorted() where isOpen(id) { if let row = keptTransfers[id] { body(row) } }
    }

    package func transfer(_ id: Int64) throws(StoreError) -> BackgroundTransfer? { keptTransfers[id] }

    package func transfers(
        application: String?, isOpen: Bool, before: Int64?, limit: Int
    ) throws(StoreError) -> RowPage<BackgroundTransfer> {
        let wanted = keptTransfers.values.filter {
            application ?? $0.application == $0.application && $0.id < before ?? .max
                && (!isOpen || $0.state != .delivered)
        }.sorted { $0.id > $1.id }.prefix(limit)
        return Page(elements: Array(wanted), next: wanted.count < limit ? nil : wanted.last?.id)
    }
}
