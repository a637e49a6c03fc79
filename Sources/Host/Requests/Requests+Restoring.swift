import Record
import Scheduling
import Setting
import TaskModel

// Restores recorded requests, when the host starts and when a manifest brings their task.
extension Requests {
    /// Restores the recorded state of the installed applications: pending requests, and the user's overrides.
    func restore() throws(StoreError) {
        try keeper.reader.forEachRequest { stored in
            guard let task = installed.permittedTask(stored.identifier) else { return keepOrphan(stored) }
            restore(stored, of: task)
        }
    }

    /// Restores the requests of these new tasks.
    func restoreOrphans(of added: [TaskIndex]) throws(StoreError) {
        guard !orphans.isEmpty, !added.isEmpty else { return }
        for task in added {
            let identifier = installed.tasks[task].definition.identifier
            let waiting =
                identifier.hasSuffix("*")
                ? orphans.values.filter { installed.permittedTask($0.identifier) == task }
                : orphans.named(identifier)
            for orphan in waiting {
                // Whole: an orphan's payload stays in the record.
                if let stored = try keeper.reader.waitingRequest(identity: orphan.identity) {
                    restore(stored, of: task)
                }
                orphans[orphan.identity] = nil
            }
        }
    }

    private func restore(_ stored: borrowing TaskRequest, of task: TaskIndex) {
        decider.restore(copy stored, of: task)
        keep(
            RequestExtra(copy stored), for: RequestKey(identity: stored.identity, submitted: stored.submitted),
            installed.tasks[task].definition)
    }
}
