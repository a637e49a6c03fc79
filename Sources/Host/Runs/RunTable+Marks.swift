import Engine
import Setting
import TaskModel

extension RunTable {
    /// Notes what there is to note of a run that has its outcome, before anybody hears of its end.
    ///
    /// - Returns: whether there is anything.
    func mark(_ run: RunHandle, _ slot: RunSlot, _ outcome: Outcome) -> Bool {
        let (origin, identity, wroteErrors) = (self[run].origin, self[run].identity, self[run].wroteErrors)
        let sample = UsualRuns.Sample(
            startedAt: slot.started?.time, countsAsBeginning: origin != nil && slot.attempt == 1,
            hasSucceeded: outcome == .succeeded, wallTime: slot.figures.wallTime, peakMemory: slot.figures.peakMemory)
        let differences = usual.judge(
            sample, of: identity ?? installed.tasks[slot.task].row, keeper.reader,
            hasCalendar: installed.tasks[slot.task].definition.schedule?.calendar != nil
        ) { after, until in
            installed.scheduledTimes(of: slot.task, after: after, until: until)
        }
        let isComplaint = outcome == .succeeded && wroteErrors
        guard isComplaint || !differences.isEmpty else { return false }
        let marks = RunMarks(differences: differences, wroteErrors: isComplaint)
        self[run].marks = marks
        counters.marked(slot.task, marks)
        return true
    }
}
