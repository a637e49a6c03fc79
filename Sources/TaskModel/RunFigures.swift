/// The measurements of a run, and how its process ended.
package struct RunFigures: Sendable, BitwiseCopyable, Equatable {
    /// From start to end, by the monotonic clock.
    package var wallTime: TimeSpan?
    /// How long it was suspended between start and end, by the calendar, which `wallTime` does not include; nil: never, or
    /// it is in progress.
    package var frozenTime: TimeSpan?
    package var cpuTime: TimeSpan?
    package var peakMemory: ByteCount?
    /// Memory that earlier runs had left in its process at its start; nil: less than a quarter of a budget, or unknown.
    package var memoryAtStart: ByteCount?
    package var signal: Int32?
    package var exitStatus: Int32?
    /// A foreign function's return value.
    package var result: ResultValue?

    package init(
        wallTime: TimeSpan? = nil, frozenTime: TimeSpan? = nil, cpuTime: TimeSpan? = nil, peakMemory: ByteCount? = nil,
        memoryAtStart: ByteCount? = nil, signal: Int32? = nil, exitStatus: Int32? = nil, result: ResultValue? = nil
    ) {
        self.wallTime = wallTime
        self.frozenTime = frozenTime
        self.cpuTime = cpuTime
        self.peakMemory = peakMemory
        self.memoryAtStart = memoryAtStart
        self.signal = signal
        self.exitStatus = exitStatus
        self.result = result
    }
}
