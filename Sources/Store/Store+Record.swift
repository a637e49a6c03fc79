import Linux
package import Record
package import TaskModel

// The turn's record in one transaction.
extension Store: RecordStore {
    /// Writes the turn's record, and syncs it or has that begun. Without any it costs no system call.
    ///
    /// A write that a row contradicts is left out, see `takeRowFaults`.
    ///
    /// - Throws: when the disk refused it. The host has to stop.
    package func write(_ record: borrowing TurnRecord) throws(StoreError) {
        // An iterator would copy each of them.
        let writes = record.writes.span
        for place in writes.indices {
            do throws(StoreError) {
                try apply(writes[place])
            } catch {
                try leaveOut(writes[place], because: error)
            }
        }
        if let sync, sync.overlaps {
            if let failure { throw failure }
            if sync.add(record.turn, hasWrites: !record.isEmpty) { try commitBeforeSync() }
            return
        }
        willCommit?()
        let begin = sync != nil && isWriting ? Clock.monotonic() : nil
        try commit()
        guard let sync else { return onlyTurn = record.turn }
        try sync.didSync(record.turn, in: begin.map { Clock.span(since: $0) })
    }

    /// Commits what several turns may have written; the thread syncs it.
    private func commitBeforeSync() throws(StoreError) {
        willCommit?()
        try commit()
        sync?.didCommit()
    }

    private func apply(_ write: RecordWrite) throws(StoreError) {
        switch write {
        case .runBegan(let start, let waits): try insertRun(start, waits: waits.span)
        case .runInputs(let id, let inputs): try putInputs(of: id, inputs)
        case .runExpired(let id, let moment, let reason): try markExpired(id, at: moment, reason: reason)
        case .runEnded(let end, let events):
            try events.withSpan { span throws(StoreError) in try finishRun(end, events: span) }
        case .runMarked(let id, let marks): try markRun(id, marks)
        case .diagnostics(let id, let sentences): try addDiagnostics(to: id, sentences)
        case .lateDiagnostic(let id, let sentence): _ = try addLateDiagnostics(to: id, [sentence])
        case .output(let id, let bytes, let mark, let dropped):
            try unsafe appendOutput(to: id, bytes: bytes.span.bytes, mark: mark, dropped: dropped)
        case .runPaused(let id, let moment): try pauseRun(id, at: moment)
        case .runResumed(let id, let moment): try resumeRun(id, at: moment)
        case .requestPut(let request): try putRequest(request)
        case .requestRunning(let identity, let submitted, let run):
            try markRequestRunning(identity: identity, submitted: submitted, run: run)
        case .requestForgotten(let identity, let submitted):
            try forgetRequest(identity: identity, submitted: submitted)
        case .applicationNamed(let row, let identifier): try name(application: identifier, row)
        case .taskNamed(let row, let name): try self.name(name, row)
        case .setupNamed(let row, let setup): try name(setup, row)
        case .application(let row, let memory): try putApplication(row, memory)
        case .journal(let entry):
            try journal(kind: entry.kind, subject: entry.subject, text: entry.text, at: entry.at)
        case .termination(let termination): try addTermination(termination)
        case .device(let entry): try putDevice([(entry.condition, entry.value)], at: entry.at)
        case .override(let condition, let value): try setOverride(condition, value)
        case .overridesCleared: try clearOverrides()
        case .workPaused(let work, let pause): try putPause(pause, of: work)
        case .workResumed(let work): try endPause(of: work)
        case .manifestSeen(let version): try addManifest(version)
        case .filesSeen(let task, let marks): try putFileMarks(marks, task: task)
        case .claimEnded(let end): try addUntoldEnd(end)
        case .claimTold(let token): try forgetUntoldEnd(token)
        case .timeShared(let task, let time): try putSharedTime(time, task: task)
        case .session(let session): try putSession(session)
        case .sessionForgotten(let id): try forgetSession(id)
        case .transfer(let transfer): try putTransfer(transfer)
        case .transferProgress(let id, let progress): try putProgress(progress, of: id)
        case .transferState(let id, let state): try putState(state, of: id)
        case .transferHeld(let id, let isHeld): try holdTransfer(id, isHeld)
        case .transferRequest(let id, let request): try putRequest(request, of: id)
        case .transferEnded(let id, let end): try endTransfer(id, end)
        case .transferFileTaken(let id): try takeFile(of: id)
        case .transferDelivered(let id): try deliverTransfer(id)
        case .transfersMoved(let step): try moveTransfers(by: step)
        case .transfersForgotten(let ids): try forgetTransfers(ids)
        case .forgotten(let rows): try forget(rows)
        case .identifiersPruned(let held): _ = try pruneIdentifiers(except: held)
        }
    }

    package var mayBeLate: Bool { sync?.overlaps ?? false }

    package var durableTurn: UInt64 { sync?.durableTurn ?? onlyTurn }

    /// nil but for a host's: every turn is durable when `write` returns.
    package var durabilityDescriptor: Int32? { sync?.bell }

    /// A disk takes the time that it takes.
    package var patience: TimeSpan? { nil }

    package func settle() throws(StoreError) {
        if let sync { try settle(sync, waits: false) }
    }

    package func finish() throws(StoreError) {
        guard let sync else { return }
        repeat { try settle(sync, waits: true) } while !sync.isIdle
    }

    private func settle(_ sync: TurnSync, waits: Bool) throws(StoreError) {
        if let failure { throw failure }
        do throws(StoreError) {
            guard try sync.settle(waits: waits) else { return }
        } catch {
            throw abandon(error)
        }
        try commitBeforeSync()
    }

    package var reader: any RecordReader { history }
}
