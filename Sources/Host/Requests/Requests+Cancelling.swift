import Record
import Scheduling
import Setting
package import TaskModel

// Requests are found by their identifiers, and taken back.
extension Requests {
    /// Cancels the pending request of that identifier. Runs continue, and a time of its schedule stays.
    @discardableResult
    package func cancel(_ identifier: String, application: ApplicationIndex? = nil) -> Bool {
        guard let handle = pending(identifier, application: application),
            let view = decider.request(handle)
        else { return application == nil && cancelOrphan(identifier) }
        guard decider.cancelRequest(identity: view.request.identity) else { return false }
        tellCancelled(identifier)
        decider.settle()
        return true
    }

    func tellCancelled(_ identifier: String) {
        announcer.note(.requestCancelled, identifier, "cancelled")
        announcer.audience?.requestChanged("cancelled", identifier)
    }

    /// Cancels the application's own requests. Its schedules belong to the manifest, its events to the host: they stay.
    func cancelAll(of application: ApplicationIndex) {
        let identifiers = decider.pendingRequests(of: application).compactMap { handle -> String? in
            guard let request = decider.request(handle)?.request, request.terms.origin != .schedule,
                !request.kind.isEvent
            else { return nil }
            return identifier(of: handle)
        }
        decider.cancelRequests(of: application)
        identifiers.forEach(tellCancelled)
        decider.settle()
    }

    /// Cancels all pending requests, for the user. Times of schedules stay.
    package func cancelAll() -> Int {
        var cancelled = 0
        for handle in decider.pendingRequests(of: nil) {
            if let identifier = identifier(of: handle), cancel(identifier) { cancelled += 1 }
        }
        let orphans = orphans.values.map(\.identifier)
        for identifier in orphans where cancelOrphan(identifier) { cancelled += 1 }
        return cancelled
    }

    /// The pending request of that identifier.
    package func pending(_ identifier: String, application: ApplicationIndex? = nil) -> RequestHandle? {
        knownRow(identifier, of: application).flatMap { decider.pendingRequest(identity: $0) }
    }

    /// The fleet's request of that identifier which this host has claimed, and which waits here.
    package func pendingClaim(_ identifier: String) -> RequestHandle? {
        knownRow(identifier, of: nil).flatMap { decider.pendingRequest(identity: ClaimedIdentity.of(row: $0)) }
    }

    /// The key in the fleet of a request that this host has claimed; nil: it is the host's own.
    package func fleetKey(of handle: RequestHandle) -> ULID? {
        decider.request(handle).flatMap { extra(of: $0).claim?.key }
    }

    private func knownRow(_ identifier: String, of application: ApplicationIndex?) -> Int64? {
        guard let task = installed.permittedTask(identifier, of: application) else { return nil }
        guard installed.tasks[task].definition.identifier != identifier else { return installed.tasks[task].row }
        // If it was never recorded there is no request; the commit fails for the same reason as this would.
        return try? keeper.knownTaskRow(TaskName(identifier, of: installed.applicationName(of: task)))
    }
}
