import Manifests
import Record
import Scheduling
package import TaskModel

// Requests are asked for, and started at once for a person who wants to see that.
extension Requests {
    /// Takes a request. It is on disk when the turn's commit is; `Host.afterCommit` tells.
    ///
    /// - Parameters:
    ///   - application: whose code asks; nil: a person.
    ///   - kind: what the code asked for; nil: the manifest's kind.
    package func submit(
        _ identifier: String, application: ApplicationIndex?, kind: TaskKind?, terms: RequestTerms, title: String = "",
        subtitle: String = "", payload: [UInt8] = []
    ) throws(SubmissionFault) -> RequestHandle {
        guard let task = installed.permittedTask(identifier, of: application) else {
            throw notPermitted(identifier, application)
        }
        let definition = installed.tasks[task].definition
        if let kind, kind != definition.kind {
            throw SubmissionFault(
                .notPermitted,
                "the manifest says that \(identifier) is \(definition.kind.name), the request is for \(kind.name); submit "
                    + "the other kind of request, or change the manifest's kind")
        }
        let request = NewRequest(
            task: task, identity: try submittedIdentity(of: identifier, task), kind: definition.kind, terms: terms,
            submitted: stamp(decider.now.time))
        device.look()
        let replaced = decider.scheduler.handle(identity: request.identity).flatMap(decider.scheduler.request).map {
            RequestKey($0)
        }
        let handle = try decider.scheduler.submit(request, at: decider.now, into: &decider.decisions)
        if let replaced { extras[replaced] = nil }
        // First: the request may start at once, and its run takes them along.
        if let view = decider.scheduler.request(handle) {
            keep(
                RequestExtra(identifier: identifier, title: title, subtitle: subtitle, payload: payload),
                for: RequestKey(view), definition)
        }
        settle()
        if terms.origin == .person {
            announcer.note(replaced == nil ? .requestSubmitted : .requestReplaced, identifier, "by the user")
        }
        announcer.audience?.requestChanged(replaced == nil ? "submitted" : "replaced", identifier)
        return handle
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

    /// Starts the pending request whatever holds it.
    package func simulateLaunch(_ request: RequestHandle) -> Bool {
        guard let view = decider.scheduler.request(request),
            decider.scheduler.simulateLaunch(
                identity: view.request.identity, at: decider.now, into: &decider.decisions)
        else { return false }
        settle()
        return true
    }
}
