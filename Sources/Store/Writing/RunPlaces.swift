import TaskModel

/// The rows of runs in progress and of those that ended last, by id, so that additions to a run and its end need no search. Bounded by
/// the runs in progress; it allocates nothing while they are no more than before.
struct RunPlaces {
    /// Ended runs that are remembered; a search finds the others. Lines of a run's output may come after its end.
    static let mostEnded = 1024

    private var sequences: [ULID: Int64] = [:]
    /// In the order in which they ended; full, the oldest one is next.
    private var ended: [ULID] = []
    private var next = 0

    init() {
        sequences.reserveCapacity(Self.mostEnded)
        ended.reserveCapacity(Self.mostEnded)
    }

    subscript(id: ULID) -> Int64? { sequences[id] }

    /// One in progress is remembered until it has ended, and for a while after that.
    mutating func remember(_ id: ULID, at sequence: Int64) { sequences[id] = sequence }

    /// One that is remembered has ended.
    mutating func hasEnded(_ id: ULID) {
        if ended.count < Self.mostEnded {
            ended.append(id)
            return
        }
        sequences[ended[next]] = nil
        ended[next] = id
        next = (next + 1) % Self.mostEnded
    }
}
