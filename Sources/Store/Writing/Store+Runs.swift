package import Record
package import TaskModel

extension Store {
    /// Records that a run was admitted. Ids and times should ascend; each time that the clock was set back, looking up runs takes
    /// one more search, nothing else. Allocates nothing once as many runs have been in progress before.
    ///
    /// - Parameter waits: the delays of its request; 16 at most are kept.
    package func insertRun(_ run: borrowing RunStart, waits: Span<GateWait> = Span()) throws(StoreError) {
        try beginWriting()
        let (sequence, admission, milliseconds) = (nextSequence, run.submittedAt, run.id.milliseconds)
        if admission < newestAdmission || milliseconds < newestMilliseconds { try markDisorder(at: sequence) }
        let idBytes = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[..<ULID.byteCount])
        unsafe run.id.writeBytes(to: idBytes)
        statements.insert.bind(1, sequence)
        unsafe statements.insert.bind(2, lending: UnsafeRawBufferPointer(idBytes))
        statements.insert.bind(3, run.task)
        statements.insert.bind(4, Int64(run.attempt))
        statements.insert.bind(5, run.submittedAt.nanoseconds)
        statements.insert.bind(6, run.startedAt?.nanoseconds)
        statements.insert.bind(7, run.setup)
        if waits.isEmpty {
            statements.insert.bindNull(8)
        } else {
            let waitBytes = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[ULID.byteCount...])
            let size = unsafe WaitPacking.pack(waits, since: run.submittedAt, into: waitBytes)
            unsafe statements.insert.bind(8, lending: UnsafeRawBufferPointer(rebasing: waitBytes[..<size]))
        }
        statements.insert.bind(9, (run.origin?.rawValue).map(Int64.init))
        statements.insert.bind(10, (run.kind?.rawValue).map(Int64.init))
        try write(statements.insert)
        (newestAdmission, newestMilliseconds) = (admission, milliseconds)
        nextSequence = sequence + 1
        places.remember(run.id, at: sequence)
    }

    /// The place of a run; nil when the record does not have it.
    func place(of id: ULID) throws(StoreError) -> Int64? {
        if let sequence = places[id] { return sequence }
        do throws(StoreError) {
            guard let sequence = try history.sequence(of: id) else { return nil }
            // One in progress would be remembered.
            places.remember(id, at: sequence)
            places.hasEnded(id)
            return sequence
        } catch {
            throw abandon(error)
        }
    }

    /// Records a run's outcome, and its events (64 at most). Allocates nothing.
    ///
    /// - Throws: `broken` when the run is unknown or has an outcome already.
    package func finishRun(_ run: borrowing RunEnd, events: Span<RunEvent>) throws(StoreError) {
        try beginWriting()
        let sequence = try place(of: run.id) ?? Self.nowhere
        let eventBytes = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[ULID.byteCount...])
        let size = unsafe EventPacking.pack(events, since: run.endedAt, into: eventBytes)
        statements.finish.bind(1, sequence)
        statements.finish.bind(2, Int64(run.outcome.rawValue))
        statements.finish.bind(3, (run.reason?.rawValue).map(Int64.init))
        statements.finish.bind(4, run.startedAt?.nanoseconds)
        statements.finish.bind(5, run.expiredAt?.nanoseconds)
        statements.finish.bind(6, run.endedAt.nanoseconds)
        let figures = run.figures
        statements.finish.bind(7, figures.wallTime?.nanoseconds)
        statements.finish.bind(8, figures.cpuTime?.nanoseconds)
        statements.finish.bind(9, (figures.peakMemory?.bytes).map(Int64.init(clamping:)))
        statements.finish.bind(10, figures.signal.map(Int64.init))
        statements.finish.bind(11, figures.exitStatus.map(Int64.init))
        statements.finish.bind(kindAt: 12, valueAt: 13, figures.result)
        statements.finish.bind(14, run.setup)
        statements.finish.bind(16, (figures.memoryAtStart?.bytes).map(Int64.init(clamping:)))
        statements.finish.bind(17, figures.frozenTime?.nanoseconds)
        unsafe statements.finish.bind(15, lending: UnsafeRawBufferPointer(rebasing: eventBytes[..<size]))
        try write(statements.finish)
        guard statements.finish.changes == 1 else {
            throw contradiction("record the end of a run", because: "run \(run.id) is unknown or has ended already")
        }
        places.hasEnded(run.id)
    }

    /// A run that the record does not have.
    private static let nowhere = Int64.min

    /// Records at once that a run was warned, so that a crash of the host does not hide it.
    package func markExpired(_ id: ULID, at moment: Timestamp, reason: Reason) throws(StoreError) {
        try beginWriting()
        statements.expire.bind(1, try place(of: id) ?? Self.nowhere)
        statements.expire.bind(2, moment.nanoseconds)
        statements.expire.bind(3, Int64(reason.rawValue))
        try write(statements.expire)
        guard statements.expire.changes == 1 else {
            throw contradiction("record an expiration", because: "run \(id) is unknown or has ended already")
        }
    }

    /// Adds sentences to a run's diagnostics: 64 and 64 KiB at most at a time; a run that has 64 Ki characters takes no more.
    ///
    /// - Throws: `broken` when the run is unknown.
    package func addDiagnostics(to id: ULID, _ sentences: [String]) throws(StoreError) {
        try beginWriting()
        guard try addLateDiagnostics(to: id, sentences) else {
            throw contradiction("record a diagnostic", because: "run \(id) is unknown")
        }
    }

    /// The same for a run that may have been forgotten since it ended.
    ///
    /// - Returns: whether the record still has the run.
    package func addLateDiagnostics(to id: ULID, _ sentences: [String]) throws(StoreError) -> Bool {
        guard let sequence = try place(of: id) else { return false }
        let text = TextList.pack(sentences)
        guard !text.isEmpty else { return true }
        try beginWriting()
        statements.diagnose.bind(1, sequence)
        statements.diagnose.bind(2, text)
        try write(statements.diagnose)
        return statements.diagnose.changes == 1
    }

    /// Records what was noted of a run beside its outcome.
    ///
    /// - Throws: `broken` when the run is unknown.
    package func markRun(_ id: ULID, _ marks: RunMarks) throws(StoreError) {
        try beginWriting()
        let (kinds, differences) = MarksPacking.pack(marks)
        statements.mark.bind(1, try place(of: id) ?? Self.nowhere)
        statements.mark.bind(2, kinds)
        statements.mark.bind(3, differences)
        try write(statements.mark)
        guard statements.mark.changes == 1 else {
            throw contradiction("record a mark", because: "run \(id) is unknown")
        }
    }

    /// Notes that this run is from an earlier time than its predecessor (the clock was set back), so that readers search by halves among
    /// those before it, and among those from it on.
    private func markDisorder(at sequence: Int64) throws(StoreError) {
        statements.markDisorder.bind(1, sequence)
        try write(statements.markDisorder)
    }
}
