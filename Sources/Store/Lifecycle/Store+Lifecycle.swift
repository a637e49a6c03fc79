package import Record
package import TaskModel

extension Store {
    /// There are never more, however many runs are kept: an application that is terminated is launched again.
    package static let maximumTerminations = 2_000

    /// Adds the end of a process. The oldest make room when there are more than `maximumTerminations`.
    package func addTermination(_ termination: Termination) throws(StoreError) {
        try beginWriting()
        let assertions = AssertionPacking.pack(termination.assertions)
        lifecycle.addTermination.bind(1, bounded: termination.application, JournalEntry.maximumText, emptyIsNull: false)
        lifecycle.addTermination.bind(2, termination.at.nanoseconds)
        lifecycle.addTermination.bind(3, Int64(termination.reason.rawValue))
        lifecycle.addTermination.bind(4, (termination.callback?.rawValue).map(Int64.init))
        lifecycle.addTermination.bind(5, termination.took?.nanoseconds)
        lifecycle.addTermination.bind(6, Int64(termination.wasSuspended ? 1 : 0))
        lifecycle.addTermination.bind(7, Int64(termination.assertionCount))
        lifecycle.addTermination.bind(8, assertions.isEmpty ? nil : assertions)
        try write(lifecycle.addTermination)
        try write(lifecycle.boundTerminations)
    }

    /// Records that a run is suspended. One that is suspended already, or has `RunPause.most` pauses, is unchanged.
    ///
    /// - Throws: `broken` when the run is unknown.
    package func pauseRun(_ id: ULID, at moment: Timestamp) throws(StoreError) {
        try beginWriting()
        guard let sequence = try place(of: id) else { throw abandon("record a pause", because: "run \(id) is unknown") }
        lifecycle.pause.bind(1, sequence)
        lifecycle.pause.bind(2, moment.nanoseconds)
        try write(lifecycle.pause)
        lifecycle.markFrozen.bind(1, sequence)
        try write(lifecycle.markFrozen)
    }

    /// Records that a run continues; one that is not suspended is unchanged.
    ///
    /// - Throws: `broken` when the run is unknown.
    package func resumeRun(_ id: ULID, at moment: Timestamp) throws(StoreError) {
        try beginWriting()
        guard let sequence = try place(of: id) else { throw abandon("record a pause", because: "run \(id) is unknown") }
        lifecycle.resume.bind(1, sequence)
        lifecycle.resume.bind(2, moment.nanoseconds)
        try write(lifecycle.resume)
    }
}
