package import TaskModel

/// A crashing worker's report, from the handler of the signal that ends it (CLinux/crash.c writes the frame): a claim of a
/// process in which a plugin may have overwritten anything. Sent twice, first without frames.
package struct CrashReport: Sendable, Equatable {
    package static let mostFrames = 16

    package var signal: Int32
    /// `si_code` of sigaction(2).
    package var code: Int32
    /// What could not be read, written or executed; nil: the signal is not about an address.
    package var address: UInt64?
    /// The run of its thread; nil: no run's thread.
    package var run: RunHandle?
    /// Innermost first.
    package var frames: [CodePlace]

    package init(signal: Int32, code: Int32, address: UInt64?, run: RunHandle?, frames: [CodePlace]) {
        self.signal = signal
        self.code = code
        self.address = address
        self.run = run
        self.frames = frames
    }

    private static let noRun = RunHandle(index: .max, generation: .max)

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.crashing, run: run ?? Self.noRun)
        frame.write(signal, code, address != nil, address ?? 0, frames)
        return frame.finished() ?? []
    }

    /// - Parameter run: that of the frame's header.
    package init(from frame: inout FrameReader, run: RunHandle) throws(WireError) {
        let (hasAddress, place): (Bool, UInt64)
        (signal, code, hasAddress, place, frames) = try frame.read()
        address = hasAddress ? place : nil
        self.run = run == Self.noRun ? nil : run
        guard (1...64).contains(signal), frames.count <= Self.mostFrames else { throw .badValue }
        try frame.end()
    }
}
