extension Store {
    /// What one call keeps at most; the caller bounds a run's total.
    package static let maximumOutputPart = 1 << 20

    /// Adds to what a run has printed.
    ///
    /// - Parameters:
    ///   - bytes: what to keep; beyond `maximumOutputPart` they count as dropped.
    ///   - dropped: how many bytes the caller threw away since its last call.
    package func appendOutput(sequence: Int64, bytes: RawSpan, dropped: UInt64 = 0) throws(StoreError) {
        let kept = bytes.extracting(first: Self.maximumOutputPart)
        let lost = UInt64(bytes.byteCount - kept.byteCount) &+ dropped
        if kept.byteCount > 0 {
            try beginWriting()
            statements.nextPart.bind(1, sequence)
            let part = try ask(statements.nextPart) ?? 1
            statements.addPart.bind(1, sequence)
            statements.addPart.bind(2, part)
            try kept.withUnsafeBytes { buffer throws(StoreError) in
                statements.addPart.bind(3, lending: buffer)
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
