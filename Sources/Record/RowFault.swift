package import TaskModel

/// A row of the record that makes no sense, or that contradicts what was to be written. It is set aside: what contradicts it
/// is left out, nothing more is done for its subject until the next start, and everything else continues.
package struct RowFault: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case run(ULID)
        /// By its identity.
        case request(Int64)
        case session(Int64)
        case transfer(Int64)
        /// Of the file: what is wrong there may concern any row.
        case page
        /// Nothing that a host keeps beyond the turn.
        case other
    }

    package var subject: Subject
    /// What is wrong with it, for display.
    package var sentence: String

    package init(_ subject: Subject, _ sentence: String) {
        self.subject = subject
        self.sentence = sentence
    }
}

extension RecordWrite {
    /// What the write is about.
    package var subject: RowFault.Subject {
        switch self {
        case .runBegan(let start, _): .run(start.id)
        case .runInputs(let id, _), .runExpired(let id, _, _), .diagnostics(let id, _), .lateDiagnostic(let id, _),
            .output(let id, _, _, _), .runPaused(let id, _), .runResumed(let id, _), .runMarked(let id, _):
            .run(id)
        case .runEnded(let end, _): .run(end.id)
        case .requestPut(let request): .request(request.identity)
        case .requestRunning(let identity, _, _), .requestForgotten(let identity, _): .request(identity)
        case .session(let session): .session(session.id)
        case .sessionForgotten(let id): .session(id)
        case .transfer(let transfer): .transfer(transfer.id)
        case .transferProgress(let id, _), .transferState(let id, _), .transferHeld(let id, _),
            .transferRequest(let id, _), .transferEnded(let id, _), .transferFileTaken(let id),
            .transferDelivered(let id):
            .transfer(id)
        case .applicationNamed, .taskNamed, .setupNamed, .application, .journal, .termination, .device, .override,
            .overridesCleared, .workPaused, .workResumed,
            .filesSeen, .manifestSeen, .claimEnded, .claimTold, .timeShared, .transfersMoved, .transfersForgotten,
            .forgotten, .identifiersPruned:
            .other
        }
    }
}
