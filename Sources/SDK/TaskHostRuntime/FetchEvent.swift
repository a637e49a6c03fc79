import CTaskHost
import Foundation
import Synchronization

/// A fetch, or a remote notification, that needs an answer. It is retained until it is answered: an unanswered one ends when
/// its time is up, not when the application releases it.
package final class FetchEvent: Sendable {
    /// The kind of event.
    package enum Kind: Sendable {
        case fetch
        case remoteNotification
    }

    package let kind: Kind
    /// JSON; empty for a fetch.
    package let payload: Data
    /// The run that log lines of its work belong to.
    package let run: RunReference

    private let isAnswered = Atomic(false)
    private static let unanswered = Mutex<[ObjectIdentifier: FetchEvent]>([:])

    /// nil for an event of another kind.
    init?(_ event: taskhost_event_t) {
        guard let task = unsafe event.task else { return nil }
        switch unsafe event.kind {
        case TASKHOST_EVENT_PERFORM_FETCH: kind = .fetch
        case TASKHOST_EVENT_REMOTE_NOTIFICATION: kind = .remoteNotification
        default: return nil
        }
        payload = unsafe event.payload.bytes.map { unsafe Data(bytes: $0, count: Int(event.payload.length)) } ?? Data()
        run = unsafe RunReference(retaining: task)
        Self.unanswered.withLock { $0[ObjectIdentifier(self)] = self }
    }

    /// Gives the answer, TASKHOST_FETCH_…. The first one counts, and the second one is noted.
    package func answer(_ result: UInt32) {
        if isAnswered.exchange(true, ordering: .acquiringAndReleasing) { return complain() }
        _ = run.complete(fetch: result)
        Self.unanswered.withLock { $0[ObjectIdentifier(self)] = nil }
    }

    /// Decides who complains, and publishes nothing: relaxed.
    private let hasComplained = Atomic(false)

    private func complain() {
        guard !hasComplained.exchange(true, ordering: .relaxed) else { return }
        let name = kind == .fetch ? "performFetchWithCompletionHandler" : "didReceiveRemoteNotification"
        Diagnostic.write(
            "the completion handler of \(name) was called more than once; the first result counts; call it once")
    }
}
