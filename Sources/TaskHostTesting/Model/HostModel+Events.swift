internal import Engine
internal import Foundation
internal import Scheduling
internal import TaskModel

// What the host itself submits: fetches, notifications, and answers to failures.
extension HostModel {
    /// The application wants to be called so often; nil: never.
    func setFetchInterval(_ interval: TimeSpan?) {
        scheduler.setFetchInterval(interval, application: application, at: now)
        if interval != nil, let lack = EventTasks.lackOfFetch(definition), !misuses.contains(lack) {
            misuses.append(lack)
        }
        settle()
    }

    /// A notification comes.
    /// - Returns: its run; nil: it waits.
    func notify(_ payload: [UInt8], _ identifier: String) throws(SubmissionFault) -> RunHandle? {
        guard let task = task(of: identifier) else { return nil }
        var terms = RequestTerms()
        terms.origin = .person
        let request = try take(identifier, of: task, terms, payload)
        return facts.first { $0.value.request == request && $0.value.result == nil }?.key
    }

    /// Submits the task's `onFailure`, with the record of the run as payload.
    func answerFailure(_ slot: RunSlot, _ known: RunFacts) {
        guard let outcome = slot.outcome, outcome.isFailure, slot.reason != .userCancelled, slot.reason != .superseded,
            let failed = tasks[slot.task]
        else { return }
        if let webhook = failed.webhook { notes.append("\(webhook) would be told that \(known.identifier) failed") }
        guard let wanted = failed.onFailure, let task = task(of: wanted) else { return }
        if case .command = tasks[task]?.handler {
            return notes.append("\(wanted) would run, a program: \(known.identifier) failed")
        }
        var terms = RequestTerms()
        terms.origin = .task
        // As with the application's own: a test sees it, and lets time pass.
        terms.earliestBeginDate = now.time + TimeSpan(nanoseconds: 1)
        do throws(SubmissionFault) {
            _ = try take(wanted, of: task, terms, record(of: slot, known))
        } catch {
            notes.append("\(wanted), the onFailure of \(known.identifier), was not submitted: \(error.sentence)")
        }
    }

    private func take(
        _ identifier: String, of task: TaskIndex, _ terms: RequestTerms, _ payload: [UInt8]
    ) throws(SubmissionFault) -> RequestHandle {
        var request = TaskRequest(
            identifier: identifier, identity: identity(of: identifier, task), kind: tasks[task]?.kind ?? .processing,
            terms: terms, submitted: stamp())
        request.payload = payload
        let handle = try scheduler.submit(request, of: task, at: now)
        if let view = scheduler.request(handle) { requests[RequestFacts.Key(view)] = RequestFacts(request: request) }
        settle()
        return handle
    }

    /// The keys that `taskhost show --json` has, of what the kit knows.
    private func record(of slot: RunSlot, _ known: RunFacts) -> [UInt8] {
        var document: [String: Any] = [
            "run": slot.id.description, "identifier": known.identifier, "application": definition.identifier,
            "attempt": Int(slot.attempt), "outcome": slot.outcome?.name ?? "", "submittedAt": slot.submitted.iso8601,
            "diagnostics": known.diagnostics,
        ]
        document["reason"] = slot.reason?.name ?? NSNull()
        document["startedAt"] = slot.started?.time.iso8601 ?? NSNull()
        document["endedAt"] = slot.ended?.iso8601 ?? NSNull()
        document["wallTime"] = slot.figures.wallTime?.seconds ?? NSNull()
        return Array((try? JSONSerialization.data(withJSONObject: document, options: .sortedKeys)) ?? Data())
    }
}
