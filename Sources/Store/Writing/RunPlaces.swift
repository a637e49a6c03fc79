import TaskModel

/// The rows of the newest runs, by id, so that additions to a run need no search. Bounded; once full it allocates
/// nothing.
struct RunPlaces {
    /// Runs that are remembered; a search finds the others.
    static let most = 1024

    private var sequences: [ULID: Int64] = [:]
    /// In the order in which they were remembered; full, the oldest one is next.
    private var order: [ULID] = []
    private var next = 0

    init() {
        sequences.reserveCapacity(Self.most)
        order.reserveCapacity(Self.most)
    }

    subscript(id: ULID) -> Int64? { sequences[id] }

    mutating func remember(_ id: ULID, at sequence: Int64) {
        guard sequences.updateValue(sequence, forKey: id) == nil else { return }
        if order.count < Self.most {
            order.append(id)
            return
        }
        sequences[order[next]] = nil
        order[next] = id
        next = (next + 1) % Self.most
    }
}
