import Engine
import Record
import Setting
import TaskModel

extension RunTable {
    /// Of an application with more tasks nothing is looked up.
    private static let mostLooked = 32

    /// The application's next process is told what confinement refuses it.
    func explains(_ application: ApplicationIndex) -> Bool {
        let installed = self.installed.applications[application]
        return explanations.isDue(application, installed, at: decider.now.instant) {
            lastEndedBadly(of: installed.definition)
        }
    }

    /// The newest run of its tasks that has ended. What cannot be read ended well.
    private func lastEndedBadly(of definition: ApplicationDefinition) -> Bool {
        guard definition.tasks.count <= Self.mostLooked else { return false }
        var newest: MeasuredRun?
        for task in definition.tasks {
            let name = TaskName(task.identifier, of: definition.identifier)
            guard let row = (try? keeper.knownTaskRow(name)) ?? nil,
                let run = (try? keeper.reader.endedRuns(ofTask: row, before: nil, limit: 1))?.first,
                run.place > newest?.place ?? .min
            else { continue }
            newest = run
        }
        guard let outcome = newest?.outcome else { return false }
        // The record's row has no reason: what was warned of counts as the machine's doing.
        return Explanations.isBad(outcome, because: nil)
    }

    /// How a run ended decides whether the next process of its application is explained: before that is made.
    ///
    /// - Returns: the run's worker, if that is to leave.
    func noteForExplanation(_ run: RunHandle, _ slot: RunSlot, _ outcome: Outcome) -> WorkerHandle? {
        guard explanations.matters(outcome, because: slot.reason) else { return nil }
        let task = installed.tasks[slot.task]
        let application = installed.applications[task.application]
        guard !application.definition.runsPrograms else {
            explanations.ended(task.application, outcome, because: slot.reason)
            return nil
        }
        let leaves = explanations.ended(
            slot.task, of: task.application, application, outcome, because: slot.reason,
            isExplained: self[run].isExplained, at: decider.now.instant)
        return leaves ? self[run].worker : nil
    }
}
