package import TaskModel

extension ApplicationMemory {
    /// Counts processor time as used at that time, like a scheduler with this half-life.
    package mutating func use(_ time: TimeSpan, at moment: Timestamp, halfLife: TimeSpan) {
        usage = UsageMeasure(halfLife: halfLife).adding(time, at: moment, to: usage)
    }
}
