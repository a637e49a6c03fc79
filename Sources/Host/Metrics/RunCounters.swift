import Engine
package import TaskModel

/// What the host counts of its runs, in the turn in which it happens. A run of a task that has run before allocates nothing.
/// Thread: the loop's.
package final class RunCounters {
    /// Of a task.
    package struct TaskFigures {
        package var tally = RunTally()
        /// Of the last run: parts of its budget that it used, and its highest memory.
        package var wall: Double?
        package var cpu: Double?
        package var memory: Double?
        package var peak: UInt64?
        /// Runs that had waited for another of their identifier.
        package var overlaps: UInt64 = 0
        /// Runs that were unlike the others, by how; and those that succeeded and wrote to standard error.
        package var differences: [RunDifference.Kind: UInt64] = [:]
        package var errorWriters: UInt64 = 0
    }

    private(set) var tasks = Table<TaskIndex, TaskFigures>()
    /// By kind and outcome.
    package private(set) var durations: [RunKind: Histogram] = [:]
    package private(set) var waits: [Gate: Histogram] = [:]
    package private(set) var delays = Histogram.long
    package private(set) var expirations: [Reason: UInt64] = [:]
    package private(set) var degraded: [String: UInt64] = [:]

    package struct RunKind: Hashable {
        package var kind: TaskKind
        package var outcome: Outcome
    }

    /// A run has its outcome.
    ///
    /// - Parameters:
    ///   - origin: of its request; nil: it was forced.
    ///   - limits: those that were not enforced for it.
    func ended(
        _ slot: RunSlot, _ outcome: Outcome, of kind: TaskKind, within budget: Budget, for origin: RequestOrigin?,
        without limits: [String], at now: Timestamp
    ) {
        reach(slot.task)
        let figures = slot.figures
        tasks[slot.task].tally.add(outcome, origin, endedAt: slot.ended ?? now, cpuTime: figures.cpuTime)
        for limit in limits { degraded[limit, default: 0] += 1 }
        guard let wall = figures.wallTime else { return }
        durations[RunKind(kind: kind, outcome: outcome), default: .long].observe(wall, run: (slot.id, now))
        tasks[slot.task].wall =
            budget.wallClock == .unlimited ? nil : wall.seconds / max(budget.wallClock.seconds, 0.000_000_001)
        tasks[slot.task].cpu = budget.cpuTime.flatMap { limit in figures.cpuTime.map { $0.seconds / limit.seconds } }
        tasks[slot.task].memory =
            budget.memory < .unlimited
            ? figures.peakMemory.map { Double($0.bytes) / Double(max(1, budget.memory.bytes)) } : nil
        tasks[slot.task].peak = figures.peakMemory?.bytes
    }

    /// A run was admitted, after these waits.
    func began(_ task: TaskIndex, _ gates: [GateWait]) {
        guard !gates.isEmpty else { return }
        reach(task)
        for wait in gates { waits[wait.gate, default: .waits].observe(wait.to - wait.from) }
        if gates.contains(where: { $0.gate == .overlap }) { tasks[task].overlaps += 1 }
    }

    /// A run that has ended has these marks.
    func marked(_ task: TaskIndex, _ marks: RunMarks) {
        reach(task)
        for difference in marks.differences { tasks[task].differences[difference.kind, default: 0] += 1 }
        if marks.wroteErrors { tasks[task].errorWriters += 1 }
    }

    /// - Parameter due: the time of its schedule.
    func started(_ due: Timestamp, at now: Timestamp) { delays.observe(max(.zero, now - due)) }

    func expired(_ reason: Reason) { expirations[reason, default: 0] += 1 }

    /// Of a task; nil: it has not run.
    package subscript(task: TaskIndex) -> TaskFigures? { tasks.contains(task) ? tasks[task] : nil }

    private func reach(_ task: TaskIndex) { while !tasks.contains(task) { _ = tasks.append(TaskFigures()) } }
}
