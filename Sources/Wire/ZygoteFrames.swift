package import TaskModel

/// A worker was forked.
package struct LaunchReport: Sendable, Equatable, BitwiseCopyable {
    package var pid: Int32
    /// Of the process that keeps its tree, whose pidfd comes along; 0: a control group does.
    package var keeper: Int32

    package init(pid: Int32, keeper: Int32) {
        self.pid = pid
        self.keeper = keeper
    }

    package func frame(callID: RunHandle) -> [UInt8] {
        var frame = FrameWriter(.launched, run: callID)
        frame.write(pid, keeper)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (pid, keeper) = try frame.read()
        try frame.end()
    }
}

/// A worker ended, as its parent saw it.
package struct ExitReport: Sendable, Equatable, BitwiseCopyable {
    package var pid: Int32
    /// The signal that ended it, or 0.
    package var signal: Int32
    /// Its exit status when no signal ended it.
    package var status: Int32
    /// User and system time of it and of the children it waited for, nanoseconds.
    package var cpuTime: Int64
    /// `ru_maxrss`, bytes.
    package var peakMemory: UInt64

    package init(pid: Int32, signal: Int32, status: Int32, cpuTime: Int64, peakMemory: UInt64) {
        self.pid = pid
        self.signal = signal
        self.status = status
        self.cpuTime = cpuTime
        self.peakMemory = peakMemory
    }

    package func frame(callID: RunHandle) -> [UInt8] {
        var frame = FrameWriter(.exited, run: callID)
        frame.write(pid, signal, status, cpuTime, peakMemory)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (pid, signal, status, cpuTime, peakMemory) = try frame.read()
        try frame.end()
    }
}
