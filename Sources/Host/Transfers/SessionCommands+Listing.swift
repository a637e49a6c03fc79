import Record
import TaskModel
import Wire

// The list of transfers for a worker that opens a session: also those that are over, whose events follow.
extension SessionCommands {
    /// The next frames of the answer: a portion, after which the worker asks for the rest.
    func list(_ session: SessionRecord) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var bytes = 0
        repeat {
            var answer = SessionOpened()
            answer.session = session.handle.index
            answer.next = session.stored.next
            answer.transfers = session.unlisted.prefix(SessionOpened.batch).compactMap { known($0, of: session) }
            session.unlisted = session.unlisted.dropFirst(SessionOpened.batch)
            answer.more = !session.unlisted.isEmpty
            var frame = answer.frame(callID: session.callID)
            bytes += frame.count
            if answer.more, bytes >= SessionOpened.portion {
                answer.awaitsNext = true
                frame = answer.frame(callID: session.callID)
            }
            frames.append(frame)
        } while !session.unlisted.isEmpty && bytes < SessionOpened.portion
        return frames
    }

    /// As its application may know it now; nil: it no longer exists.
    private func known(_ number: UInt32, of session: SessionRecord) -> BackgroundTransfer? {
        guard let handle = session.transfers[number], var known = ledger[handle]?.stored else { return nil }
        let attempt = attempts[handle]
        if let attempt { (known.progress, known.isCanceling) = (attempt.progress, attempt.end != nil) }
        known.takeCountsOfEnd()
        // Progress of an attempt without a watcher is not reported.
        if attempt?.kind == .download, let size = attempts.size(of: known.id, session.application) {
            known.progress.received = max(known.progress.received, size)
        }
        // An upload's progress is how much of its file was sent.
        if known.request.kind == .upload { known.progress.total = known.progress.source?.size }
        return known
    }
}
