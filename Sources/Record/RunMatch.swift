package import TaskModel

/// The result of a search for a run's id or its beginning. None of these is an error of the store.
package enum RunMatch: Sendable, Equatable {
    case found(RunRecord)
    case missing
    /// The beginning fits several runs: these, oldest first, `maximumCandidates` at most.
    case ambiguous([ULID])
    /// Not an id, nor `minimumLength` characters or more of one.
    case malformed

    package static let minimumLength = 8
    package static let maximumCandidates = 10
}
