import Record
import Scheduling
import Setting
import TaskModel

// Requests of the fleet. They wait and run like others; no record has them.
extension Requests {
    /// Takes in a request that the host has claimed.
    ///
    /// - Parameter identity: a `ClaimedIdentity`, which has no request now.
    func enter(_ claim: Claim, of task: TaskIndex, as identity: Int64) -> RequestHandle {
        var request = claim.request
        request.identity = identity
        request.submitted = stamp(decider.now.time)
        (request.notBefore, request.scheduledFor, request.running) = (nil, nil, nil)
        // For the scheduler it is a person's: it neither counts as the application's own, nor belongs to a schedule here.
        request.terms.origin = .person
        var extra = RequestExtra(claim.request)
        extra.trace = nil
        extra.origin = claim.request.terms.origin
        extra.claim = claim.token
        let handle = decider.enter(request, of: task)
        keep(
            extra, for: RequestKey(identity: identity, submitted: request.submitted), installed.tasks[task].definition)
        return handle
    }
}
