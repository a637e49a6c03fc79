import Record
import Scheduling
import Setting
import TaskModel

// Numbers in the record for the concrete identifiers of wildcards.
extension Requests {
    /// After how many concrete identifiers of wildcards unused ones are searched.
    static let identifiersBetweenSweeps = 1000

    /// The identifier's number in the record.
    func identity(of identifier: String, _ task: TaskIndex) throws(StoreError) -> Int64 {
        guard installed.tasks[task].definition.identifier != identifier else {
            return installed.tasks[task].row
        }
        concreteIdentifiers += 1
        return try keeper.taskRow(TaskName(identifier, of: installed.applicationName(of: task)))
    }

    /// The same for a submission.
    func submittedIdentity(of identifier: String, _ task: TaskIndex) throws(SubmissionFault) -> Int64 {
        do throws(StoreError) {
            return try identity(of: identifier, task)
        } catch {
            // The turn's commit fails for the same reason and stops the host.
            throw SubmissionFault(.unavailable, "the request cannot be recorded; \(error)")
        }
    }

    /// An application may use a new identifier each time: unused ones are deleted.
    func pruneIdentifiers() throws(StoreError) {
        guard concreteIdentifiers >= Self.identifiersBetweenSweeps, keeper.isSettled else { return }
        concreteIdentifiers = 0
        let named = installed.tasks.count + decider.pendingRequestCount + decider.runningRequestCount
        guard try keeper.store.identifierCount() >= named + Self.identifiersBetweenSweeps else { return }
        var held = Set(installed.tasks.indices.map { installed.tasks[$0].row })
        held.formUnion(runs.identities)
        for handle in decider.pendingRequests(of: nil) + running.keys {
            if let view = decider.request(handle) { held.insert(ClaimedIdentity.row(view.request.identity)) }
        }
        keeper.pruneTasks(except: held)
    }
}
