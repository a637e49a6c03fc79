internal import Engine
internal import Foundation
internal import Scheduling
internal import TaskModel

// The application's requests.
extension HostModel {
    /// Takes a request in.
    /// - Parameter earliest: in the application's calendar, which is that of the machine.
    func submit(_ wanted: TaskRequest, earliest: Timestamp?) throws(SubmissionFault) {
        guard let task = task(of: wanted.identifier), let definition = tasks[task] else {
            throw SubmissionFault(
                .notPermitted,
                "the manifest does not permit \(wanted.identifier); add it to the tasks of the application's manifest")
        }
        var request = wanted
        request.identity = identity(of: wanted.identifier, task)
        request.submitted = stamp()
        if let earliest { request.terms.earliestBeginDate = now.time + (earliest - Self.calendar()) }
        // Nothing starts at the moment of its submission: a test sees it, and lets time pass.
        if definition.kind != .continuedProcessing {
            let soon = now.time + TimeSpan(nanoseconds: 1)
            request.terms.earliestBeginDate = max(soon, request.terms.earliestBeginDate ?? soon)
        }
        let old = scheduler.handle(identity: request.identity).flatMap { scheduler.request($0) }.map {
            RequestFacts.Key($0)
        }
        let handle = try scheduler.submit(request, of: task, at: now)
        if let old { requests[old] = nil }
        if let view = scheduler.request(handle) {
            var kept = wanted
            kept.terms.earliestBeginDate = earliest
            requests[RequestFacts.Key(view)] = RequestFacts(request: kept)
        }
        settle()
    }

    /// The application's pending requests, as it submitted them.
    var submitted: [TaskRequest] {
        scheduler.pending(application: application).compactMap { handle in
            guard let view = scheduler.request(handle), !view.request.kind.isEvent else { return nil }
            if let kept = requests[RequestFacts.Key(view)] { return kept.request }
            var request = view.request
            request.identifier = tasks[view.task]?.identifier ?? ""
            if let date = request.terms.earliestBeginDate {
                request.terms.earliestBeginDate = Self.calendar() + (date - now.time)
            }
            return request
        }
    }

    /// The pending request of the identifier.
    func pending(_ identifier: String) -> RequestHandle? {
        task(of: identifier).flatMap { scheduler.handle(identity: identity(of: identifier, $0)) }
    }

    func cancel(_ identifier: String?) {
        if let identifier {
            guard let task = task(of: identifier) else { return }
            _ = scheduler.cancel(identity: identity(of: identifier, task), at: now)
        } else {
            scheduler.cancelAll(application: application, at: now)
        }
        settle()
    }

    /// Starts the pending request of the identifier regardless of its gates; nil: there is none.
    func launchPending(_ identifier: String) -> RunHandle? {
        guard let request = pending(identifier), let view = scheduler.request(request),
            scheduler.simulateLaunch(identity: view.request.identity, at: now)
        else { return nil }
        settle()
        return facts.first { $0.value.request == request && $0.value.result == nil }?.key
    }

    /// Runs of the identifier in progress, oldest first.
    func active(_ identifier: String?) -> [RunHandle] {
        facts.filter { $0.value.result == nil && (identifier == nil || $0.value.identifier == identifier) }
            .sorted { $0.value.id < $1.value.id }.map(\.key)
    }

    /// The machine's calendar, which the application reads.
    static func calendar() -> Timestamp {
        Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
    }
}
