import TaskModel

/// Recorded requests for tasks that no installed manifest has, by identity and by identifier.
struct OrphanTable {
    private var byIdentity: [Int64: TaskRequest] = [:]
    private var byIdentifier: [String: [Int64]] = [:]

    var isEmpty: Bool { byIdentity.isEmpty }
    var count: Int { byIdentity.count }
    /// In no order.
    var values: Dictionary<Int64, TaskRequest>.Values { byIdentity.values }

    /// Those under that identifier: one, unless two applications had it.
    func named(_ identifier: String) -> [TaskRequest] {
        (byIdentifier[identifier] ?? []).compactMap { byIdentity[$0] }
    }

    subscript(identity: Int64) -> TaskRequest? {
        get { byIdentity[identity] }
        set {
            if let old = byIdentity[identity] {
                byIdentifier[old.identifier]?.removeAll { $0 == identity }
                if byIdentifier[old.identifier]?.isEmpty == true { byIdentifier[old.identifier] = nil }
            }
            byIdentity[identity] = newValue
            if let newValue { byIdentifier[newValue.identifier, default: []].append(identity) }
        }
    }
}
