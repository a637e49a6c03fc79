import Record
import TaskModel
import Wire

// What a worker that opens a session learns of it: also of transfers that are over, whose events come next.
extension TransferHub {
    /// The next frames of the answer to whoever opens the session: a portion, after which the worker asks for the rest.
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

    /// nil: it is gone meanwhile.
    private func known(_ number: UInt32, of session: SessionRecord) -> KnownTransfer? {
        guard let handle = session.transfers[number], let stored = stored(handle) else { return nil }
        let attempt = attempts[handle]
        let progress = attempt?.progress ?? stored.progress
        var known = KnownTransfer(
            number: number, request: stored.request, standing: standing(of: handle, stored),
            received: stored.end?.received ?? progress.received, sent: stored.end?.sent ?? progress.sent,
            total: progress.total)
        // Nobody is told of the progress of an attempt that nobody looks at.
        if attempt?.kind == .download, let size = (try? parts(of: session.application))?.size(of: stored.id) {
            known.received = max(known.received, size)
        }
        // What there is to say of an upload is how much of its file was sent.
        if stored.request.kind == .upload { known.total = progress.source?.size }
        return known
    }

    private func standing(of handle: TransferHandle, _ stored: StoredTransfer) -> KnownTransfer.Standing {
        if stored.end != nil { return .completed }
        if attempts[handle]?.end != nil { return .canceling }
        return stored.state == .suspended ? .suspended : .running
    }
}
