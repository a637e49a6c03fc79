import Engine
import Scheduling
import Setting
import TaskModel

// What a manifest wants done with what a run has printed.
extension Requests {
    /// Submits the request for the task's `onOutput`, in the commit of the run's end. What already waits for that task goes
    /// first in the same payload, so that runs that end together lose nothing.
    func answerOutput(of run: RunHandle, _ slot: RunSlot, _ outcome: Outcome) {
        guard let printed = runs.told.removeValue(forKey: run),
            let wanted = installed.tasks[slot.task].definition.onOutput,
            let task = installed.task(named: wanted)
        else { return }
        let message = OutputMessage(
            subject: subject(of: run, slot, outcome), output: printed, end: "taskhost logs \(slot.id)")
        let waiting = decider.pendingRequest(identity: installed.tasks[task].row).flatMap { decider.request($0) }
        let isOurs = waiting?.request.terms.origin == .task
        guard let payload = message.payload(behind: waiting.flatMap { isOurs ? extra(of: $0).payload : nil } ?? [])
        else {
            return runs.diagnose(
                "what it printed was not given to its onOutput, \(wanted), for which as much already waits as one run can take",
                run)
        }
        submit(wanted, task, payload, as: "onOutput", after: run)
    }

    private func subject(of run: RunHandle, _ slot: RunSlot, _ outcome: Outcome) -> String {
        let figures = slot.figures
        let details = [
            figures.signal.map { "signal \($0)" }, figures.exitStatus.flatMap { $0 == 0 ? nil : "exit status \($0)" },
        ]
        let words = ["\(runs.identifier(of: run) ?? ""): \(outcome.name)"] + details.compactMap(\.self)
        return words.joined(separator: ", ")
    }
}
