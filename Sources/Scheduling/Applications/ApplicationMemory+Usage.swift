package import TaskModel

extension ApplicationMemory {
    /// Counts processor time as used at that moment, as a scheduler with this half-life does.
    package mutating func use(_ time: TimeSpan, at moment: Timestamp, halfLife: TimeSpan) {
        usage = UsageMeasure(halfLife: halfLife).adding(time, at: moment, to: usage)
    }
}
