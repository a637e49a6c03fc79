import Manifests
import Record
import Scheduling
import Setting
package import TaskModel

// Submitting requests, and starting them at once for the user.
extension Requests {
    /// Accepts a request. It is on disk after the turn's commit; `Host.afterCommit` reports that.
    ///
    /// - Parameters:
    ///   - wanted: the host sets its identity and time of submission.
    ///   - application: the application that submits it; nil: the user.
    package func submit(
        _ wanted: TaskRequest, application: ApplicationIndex?
    ) throws(SubmissionFault) -> RequestHandle {
        var wanted = wanted
        wanted.terms.earliestBeginDate = wanted.terms.earliestBeginDate.map(decider.byHost)
        let (handle, replaced) = try accept(wanted, application: application)
        decider.settle()
        let identifier = wanted.identifier
        if wanted.terms.origin == .person {
            announcer.note(replaced ? .requestReplaced : .requestSubmitted, identifier, "by the user")
        }
        announcer.audience?.requestChanged(replaced ? "replaced" : "submitted", identifier)
        return handle
    }

    /// The same for what decides already: the caller settles.
    ///
    /// - Returns: the request, and whether it took the place of another one.
    func accept(
        _ wanted: TaskRequest, application: ApplicationIndex?
    ) throws(SubmissionFault) -> (RequestHandle, replaced: Bool) {
        let identifier = wanted.identifier
        guard let task = installed.permittedTask(identifier, of: application) else {
            throw notPermitted(identifier, application)
        }
        let definition = installed.tasks[task].definition
        guard wanted.kind == definition.kind else {
            throw SubmissionFault(
                .notPermitted,
                "the manifest says that \(identifier) is \(definition.kind.name), the request is for \(wanted.kind.name); submit "
                    + "the other kind of request, or change the manifest's kind")
        }
        var request = wanted
        request.identity = try submittedIdentity(of: identifier, task)
        request.submitted = stamp(decider.now.time)
        device.look()
        let replaced = decider.pendingRequest(identity: request.identity)
            .flatMap { decider.request($0) }.map { RequestKey($0) }
        let handle = try decider.submit(request, of: task)
        if let replaced { extras[replaced] = nil }
        // First: the request may start at once, and its run takes them along.
        if let view = decider.request(handle) {
            keep(RequestExtra(wanted), for: RequestKey(view), definition)
        }
        return (handle, replaced: replaced != nil)
    }

    func keep(_ extra: RequestExtra, for key: RequestKey, _ definition: TaskDefinition) {
        var extra = extra
        if extra.identifier == definition.identifier { extra.identifier = nil }
        if !extra.isEmpty { extras[key] = extra }
    }

    private func notPermitted(_ identifier: String, _ application: ApplicationIndex?) -> SubmissionFault {
        let concrete = IdentifierSyntax.concrete(identifier)
        if concrete != identifier, installed.permittedTask(concrete, of: application) != nil {
            return SubmissionFault(
                .notPermitted,
                "this is a wildcard; \(identifier); name one of the identifiers that it permits, for example \(concrete)"
            )
        }
        let near = installed.nearestTask(to: identifier, of: application).map { "; did you mean \($0)?" } ?? ""
        return SubmissionFault(
            .notPermitted, "no manifest permits \(identifier)\(near); add it to the tasks of the application's manifest"
        )
    }

    /// Starts the pending request regardless of its gates.
    package func simulateLaunch(_ request: RequestHandle) -> Bool {
        guard let view = decider.request(request), decider.simulateLaunch(identity: view.request.identity) else {
            return false
        }
        decider.settle()
        return true
    }
}
