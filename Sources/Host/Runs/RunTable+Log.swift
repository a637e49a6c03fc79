import Engine
import Setting
import TaskModel

// What the host's log says of runs.
extension RunTable {
    /// Successes are logged on request only.
    func logEnd(of run: RunHandle, _ slot: RunSlot, _ outcome: Outcome) {
        guard let log = announcer.log, outcome != .succeeded || log.includesAll else { return }
        log.addEnd(EndKind(task: slot.task, outcome: outcome, reason: slot.reason), at: decider.now.instant) {
            let figures = slot.figures
            let identifier = identifier(of: run) ?? ""
            let details = [slot.reason.map { "reason \($0.name)" }, figures.signal.map { "signal \($0)" }]
            let subject = ([identifier] + details.compactMap(\.self)).joined(separator: ", ")
            var entry = LogEntry(
                LogPriority(outcome, isDegraded: !self[run].degraded.isEmpty), LogMessage(outcome),
                "\(outcome.name); \(subject); see: taskhost show \(slot.id)")
            addIdentity(of: run, slot, to: &entry)
            entry.add(.outcome, outcome.name)
            entry.add(.reason, slot.reason?.name)
            entry.add(.wallUsec, figures.wallTime.map { $0.nanoseconds / 1000 })
            entry.add(.cpuUsec, figures.cpuTime.map { $0.nanoseconds / 1000 })
            entry.add(.peakMemory, figures.peakMemory.map { Int64(clamping: $0.bytes) })
            entry.add(.degraded, self[run].degraded.joined(separator: ","))
            entry.add(.signal, figures.signal.map { Int64($0) })
            entry.add(.pid, self[run].pid.map { Int64($0) })
            return entry
        }
    }

    func logStart(of run: RunHandle) {
        guard let log = announcer.log, log.includesAll, let slot = decider.run(run) else { return }
        var entry = LogEntry(.info, .started, "started; \(identifier(of: run) ?? ""); see: taskhost show \(slot.id)")
        addIdentity(of: run, slot, to: &entry)
        entry.add(.pid, self[run].pid.map { Int64($0) })
        log.add(entry)
    }

    private func addIdentity(of run: RunHandle, _ slot: RunSlot, to entry: inout LogEntry) {
        entry.add(.run, slot.id.description)
        entry.add(.task, identifier(of: run))
        entry.add(.application, installed.applicationName(of: slot.task))
        entry.add(.kind, installed.tasks[slot.task].definition.kind.name)
        entry.add(.attempt, Int64(slot.attempt))
    }
}
