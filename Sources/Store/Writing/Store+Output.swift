package import Record
package import TaskModel

extension Store {
    /// Adds to the output of a run. A deleted run is unchanged.
    ///
    /// - Parameters:
    ///   - bytes: what to keep; beyond `RecordLimits.outputPart` they count as dropped.
    ///   - mark: when they came, and on which stream; nil: unknown.
    ///   - dropped: how many bytes the caller threw away since its last call.
    package func appendOutput(
        to id: ULID, bytes: RawSpan, mark: LogMark? = nil, dropped: UInt64 = 0
    ) throws(StoreError) {
        guard let sequence = try place(of: id) else { return }
        let kept = bytes.extracting(first: RecordLimits.outputPart)
        let lost = UInt64(bytes.byteCount - kept.byteCount) &+ dropped
        if kept.byteCount > 0 {
            try beginWriting()
            statements.nextPart.bind(1, sequence)
            let part = try ask(statements.nextPart) ?? 1
            statements.addPart.bind(1, sequence)
            statements.addPart.bind(2, part)
            statements.addPart.bind(4, mark?.at.nanoseconds)
            statements.addPart.bind(5, (mark?.stream.rawValue).map(Int64.init))
            try unsafe kept.withUnsafeBytes { buffer throws(StoreError) in
                unsafe statements.addPart.bind(3, lending: buffer)
                try write(statements.addPart)
            }
        }
        if lost > 0 {
            try beginWriting()
            statements.addDropped.bind(1, sequence)
            statements.addDropped.bind(2, Int64(clamping: lost))
            try write(statements.addDropped)
        }
    }
}
