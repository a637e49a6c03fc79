import Engine
import Setting
import TaskModel

extension RunTable {
    /// Notes what there is to note of a run that has its outcome, before anybody hears of its end.
    func mark(_ run: RunHandle, _ slot: RunSlot, _ outcome: Outcome) {
        let task = installed.tasks[slot.task]
        let sample = UsualRuns.Sample(
            startedAt: slot.started?.time, countsAsBeginning: self[run].origin != nil && slot.attempt == 1,
            hasSucceeded: outcome == .succeeded, wallTime: slot.figures.wallTime, peakMemory: slot.figures.peakMemory)
        let differences = usual.judge(
            sample, of: self[run].identity ?? task.row, keeper.reader,
            hasCalendar: task.definition.schedule?.calendar != nil
        ) { after, until in
            installed.scheduledTimes(of: slot.task, after: after, until: until)
        }
        let marks = RunMarks(differences: differences, wroteErrors: outcome == .succeeded && self[run].wroteErrors)
        guard !marks.isEmpty else { return }
        self[run].marks = marks
        counters.marked(slot.task, marks)
    }
}
