import Record
import Scheduling
import TaskModel

// What the record holds is taken up, when the host starts and when a manifest brings its task.
extension Requests {
    /// Takes up what the record holds of the installed applications: pending requests, and conditions set by a person.
    func restore() throws(StoreError) {
        try keeper.reader.forEachRequest { stored in
            guard let task = installed.permittedTask(stored.identifier) else { return keepOrphan(stored) }
            restore(stored, of: task)
        }
    }

    /// Takes up the requests that waited for these tasks to come.
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
        _ = decider.scheduler.restore(copy stored, of: task)
        keep(
            RequestExtra(copy stored), for: RequestKey(identity: stored.identity, submitted: stored.submitted),
            installed.tasks[task].definition)
    }
}
