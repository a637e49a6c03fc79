package import Record
package import TaskModel

extension Store {
    /// There are never more, however many runs are kept: an application that is terminated is launched again.
    package static let maximumTerminations = Limit.terminations.most

    /// Adds the end of a process. The oldest make room when there are more than `maximumTerminations`.
    package func addTermination(_ termination: Termination) throws(StoreError) {
        try put(
            lifecycle.addTermination, termination.application.cut(toBytes: JournalEntry.maximumText), termination.at,
            termination.reason.rawValue, termination.callback?.rawValue, termination.took, termination.wasSuspended,
            termination.assertionCount, AssertionPacking.pack(termination.assertions).unlessEmpty)
        try write(lifecycle.boundTerminations)
    }

    /// Records that a run is suspended. One that is suspended already, or has `RunPause.most` pauses, is unchanged.
    ///
    /// - Throws: `broken` when the run is unknown.
    package func pauseRun(_ id: ULID, at moment: Timestamp) throws(StoreError) {
        let sequence = try standingRun(id)
        try put(lifecycle.pause, sequence, moment)
        try put(lifecycle.markFrozen, sequence)
    }

    /// Records that a run continues; one that is not suspended is unchanged.
    ///
    /// - Throws: `broken` when the run is unknown.
    package func resumeRun(_ id: ULID, at moment: Timestamp) throws(StoreError) {
        try put(lifecycle.resume, try standingRun(id), moment)
    }

    private func standingRun(_ id: ULID) throws(StoreError) -> Int64 {
        try beginWriting()
        guard let sequence = try place(of: id) else {
            throw contradiction("record a pause", because: "run \(id) is unknown")
        }
        return sequence
    }
}
