import Manifests
import Record
import Scheduling
import Store
package import TaskModel

// Requests: asked for by applications, by people and by schedules.
extension Host {
    /// Takes a request. It is on disk when the turn's commit is; `afterCommit` tells.
    ///
    /// - Parameters:
    ///   - application: whose code asks; nil: a person.
    ///   - kind: what the code asked for; nil: the manifest's kind.
    package func submitRequest(
        _ identifier: String, application: Int?, kind: TaskKind?, terms: RequestTerms, title: String = "",
        subtitle: String = "", payload: [UInt8] = []
    ) throws(SubmissionFault) -> RequestHandle {
        guard let task = permittedTask(identifier, of: application) else {
            throw notPermitted(identifier, application)
        }
        let definition = tasks[Int(task)].definition
        if let kind, kind != definition.kind {
            throw SubmissionFault(
                .notPermitted,
                "the manifest says that \(identifier) is \(definition.kind.name), the request is for \(kind.name); submit "
                    + "the other kind of request, or change the manifest's kind")
        }
        let request = NewRequest(
            task: task, identity: try identity(of: identifier, task), kind: definition.kind, terms: terms,
            submitted: requests.stamp(now.time))
        lookAtDevice()
        let replaced = scheduler.handle(identity: request.identity).flatMap(scheduler.request).map { RequestKey($0) }
        let handle = try scheduler.submit(request, at: now, into: &requests.decisions)
        if let replaced { requests.extras[replaced] = nil }
        // First: the request may start at once, and its run takes them along.
        if let view = scheduler.request(handle) {
            keep(
                RequestExtra(identifier: identifier, title: title, subtitle: subtitle, payload: payload),
                for: RequestKey(view), definition)
        }
        settleDecisions()
        if terms.origin == .person {
            note(replaced == nil ? .requestSubmitted : .requestReplaced, identifier, "by a person")
        }
        audience?.requestChanged(replaced == nil ? "submitted" : "replaced", identifier, in: self)
        return handle
    }

    private func keep(_ extra: RequestExtra, for key: RequestKey, _ definition: TaskDefinition) {
        var extra = extra
        if extra.identifier == definition.identifier { extra.identifier = nil }
        if !extra.isEmpty { requests.extras[key] = extra }
    }

    /// The task that permits the identifier: its own, or a wildcard.
    package func permittedTask(_ identifier: String, of application: Int? = nil) -> UInt32? {
        if let task = task(named: identifier), !identifier.hasSuffix(".*") {
            return application == nil || tasks[Int(task)].application == application ? task : nil
        }
        guard let dot = identifier.utf8.lastIndex(of: UInt8(ascii: ".")),
            let task = task(named: identifier[..<dot] + ".*"),
            (try? IdentifierSyntax.check(identifier)) != nil,
            application == nil || tasks[Int(task)].application == application
        else { return nil }
        return task
    }

    private func notPermitted(_ identifier: String, _ application: Int?) -> SubmissionFault {
        let concrete = IdentifierSyntax.concrete(identifier)
        if concrete != identifier, permittedTask(concrete, of: application) != nil {
            return SubmissionFault(
                .notPermitted,
                "this is a wildcard; \(identifier); name one of the identifiers that it permits, for example \(concrete)"
            )
        }
        let near = nearestTask(to: identifier, of: application).map { "; did you mean \($0)?" } ?? ""
        return SubmissionFault(
            .notPermitted, "no manifest permits \(identifier)\(near); add it to the tasks of the application's manifest"
        )
    }

    /// The number in the record that stands for the identifier.
    private func identity(of identifier: String, _ task: UInt32) throws(SubmissionFault) -> Int64 {
        guard tasks[Int(task)].definition.identifier != identifier else { return tasks[Int(task)].row }
        requests.concreteIdentifiers += 1
        do throws(StoreError) {
            return try store.taskRow(
                identifier: identifier, application: applicationName(of: task))
        } catch {
            // The turn's commit fails for the same reason and stops the host.
            throw SubmissionFault(.unavailable, "the request cannot be recorded; \(error)")
        }
    }

    /// Cancels what is pending under that identifier. Runs go on, and a time of its schedule stays.
    @discardableResult
    package func cancelRequest(_ identifier: String, application: Int? = nil) -> Bool {
        guard let handle = pendingRequest(identifier, application: application),
            let view = scheduler.request(handle)
        else { return application == nil && cancelOrphan(identifier) }
        guard scheduler.cancel(identity: view.request.identity, at: now, into: &requests.decisions) else {
            return false
        }
        tellCancelled(identifier)
        settleDecisions()
        return true
    }

    func tellCancelled(_ identifier: String) {
        note(.requestCancelled, identifier, "cancelled")
        audience?.requestChanged("cancelled", identifier, in: self)
    }

    /// Cancels what the application asked for. Its schedules are the manifest's, and stay.
    func cancelRequests(of application: Int) {
        let identifiers = scheduler.pending(application: UInt32(application)).compactMap { handle in
            scheduler.request(handle)?.request.terms.origin == .schedule ? nil : identifier(of: handle)
        }
        scheduler.cancelAll(application: UInt32(application), at: now, into: &requests.decisions)
        identifiers.forEach(tellCancelled)
        settleDecisions()
    }

    /// Cancels everything that is pending, as a person may. Times of schedules stay.
    package func cancelAllRequests() -> Int {
        var cancelled = 0
        for handle in scheduler.pending(application: nil) {
            if let identifier = identifier(of: handle), cancelRequest(identifier) { cancelled += 1 }
        }
        let orphans = requests.orphans.values.map(\.identifier)
        for identifier in orphans where cancelOrphan(identifier) { cancelled += 1 }
        return cancelled
    }

    /// The pending request of that identifier.
    package func pendingRequest(_ identifier: String, application: Int? = nil) -> RequestHandle? {
        guard let task = permittedTask(identifier, of: application) else { return nil }
        guard tasks[Int(task)].definition.identifier != identifier else {
            return scheduler.handle(identity: tasks[Int(task)].row)
        }
        // What was never recorded was never asked for; the commit fails for the same reason as this would.
        let row = try? store.knownTaskRow(identifier: identifier, application: applicationName(of: task))
        return row.flatMap { scheduler.handle(identity: $0) }
    }

    /// The concrete identifier of a request.
    package func identifier(of request: RequestHandle) -> String? {
        guard let view = scheduler.request(request) else { return nil }
        return extra(of: view).identifier ?? tasks[Int(view.request.task)].definition.identifier
    }

    func extra(of view: RequestView) -> RequestExtra { requests.extras[RequestKey(view)] ?? RequestExtra() }

    /// Runs the closure once this turn's record is on disk.
    package func afterCommit(_ answer: @escaping () -> Void) { requests.answers.append(answer) }

    // MARK: From the record

    /// Takes up what the record holds of the installed applications: pending requests, and conditions set by a person.
    package func restore() throws(HostError) {
        do throws(StoreError) {
            try store.forEachRequest { stored in
                guard let task = permittedTask(stored.identifier) else { return keepOrphan(stored) }
                restore(stored, of: task)
            }
            try restoreOverrides()
        } catch {
            throw .store(error)
        }
    }

    /// Takes up the requests that waited for these tasks to come.
    func restoreOrphans(of added: [UInt32]) throws(StoreError) {
        guard !requests.orphans.isEmpty, !added.isEmpty else { return }
        for task in added {
            let identifier = tasks[Int(task)].definition.identifier
            let waiting =
                identifier.hasSuffix("*")
                ? requests.orphans.values.filter { permittedTask($0.identifier) == task }
                : requests.orphans.named(identifier)
            for orphan in waiting {
                // Whole: an orphan's payload stays in the record.
                if let stored = try store.waitingRequest(identity: orphan.identity) { restore(stored, of: task) }
                requests.orphans[orphan.identity] = nil
            }
        }
    }

    private func restore(_ stored: borrowing StoredRequest, of task: UInt32) {
        var request = NewRequest(
            task: task, identity: stored.identity, kind: stored.kind, terms: stored.terms, submitted: stored.submitted)
        request.attempt = stored.attempt
        request.scheduledFor = stored.scheduledFor
        _ = scheduler.restore(request, failures: stored.failures, notBefore: stored.notBefore)
        keep(
            RequestExtra(
                identifier: stored.identifier, title: stored.title, subtitle: stored.subtitle,
                payload: stored.payload, leftOut: stored.leftOut),
            for: RequestKey(identity: stored.identity, submitted: stored.submitted), tasks[Int(task)].definition)
    }
}
