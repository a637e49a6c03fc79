import Control
import Engine
import JSON
import Record
import Scheduling
import Setting
import TaskModel

// What a manifest wants done when a run has failed for good.
extension Requests {
    /// Submits the request for the task's `onFailure`, or tells its webhook, with the run's record as payload, when the end is one of
    /// those that these answer. The request is
    /// in the commit of the run's end; one of the same task that waits is replaced, so that failures in a row are one run.
    func answerFailure(of run: RunHandle, _ slot: RunSlot) {
        let definition = installed.tasks[slot.task].definition
        guard definition.onFailure != nil || definition.webhook != nil, let outcome = slot.outcome,
            definition.answeredEnds.contains(where: { isEnd($0, of: run, slot, outcome) })
        else { return }
        if let webhook = definition.webhook {
            guard isServed else { return runs.diagnose("its webhook is told by taskhost serve alone", run) }
            let application = installed.tasks[slot.task].application
            transfers?.tell(webhook, of: slot.id, application, record: payload(of: run, slot))
            // In the commit of the run's end, so that a later host knows.
            runs.diagnose(WebhookNote.owed(to: webhook), run)
        }
        guard let wanted = definition.onFailure, let task = installed.task(named: wanted) else { return }
        submit(wanted, task, payload(of: run, slot), as: "onFailure", after: run)
    }

    private func isEnd(_ end: FailureTrigger, of run: RunHandle, _ slot: RunSlot, _ outcome: Outcome) -> Bool {
        switch end {
        case .failed:
            outcome.isFailure && slot.reason != .userCancelled && slot.reason != .superseded
                && slot.reason != .leaseLost
        case .unlikeItself: !runs[run].marks.differences.isEmpty
        case .wroteErrors: runs[run].marks.wroteErrors
        }
    }

    /// Submits the request for a task that follows from a run, in the commit of its end.
    ///
    /// - Parameter key: of the manifest, for the sentence in the run's diagnostics when it is not taken.
    func submit(_ wanted: String, _ task: TaskIndex, _ payload: [UInt8], as key: String, after run: RunHandle) {
        var terms = RequestTerms()
        terms.origin = .task
        var request = TaskRequest(
            identity: 0, kind: installed.tasks[task].definition.kind, terms: terms, submitted: decider.now.time)
        request.identifier = wanted
        request.payload = payload
        do throws(SubmissionFault) {
            _ = try accept(request, application: nil)
        } catch {
            runs.diagnose("its \(key), \(wanted), was not submitted: \(error.sentence)", run)
        }
    }

    /// Runs that are looked through for webhooks that a host left untold.
    private static let runsLookedAt = 256

    /// Tells webhooks what the host before could not: it ended first. A receiver may get a record twice.
    func tellOwed() {
        guard isServed,
            let found = try? keeper.reader.runs(matching: RunFilter(), before: nil, limit: Self.runsLookedAt)
        else { return }
        for run in found.elements.reversed() where WebhookNote.isOwed(run.diagnostics) {
            guard let task = installed.permittedTask(run.identifier),
                let webhook = installed.tasks[task].definition.webhook
            else { continue }
            var told = run
            told.diagnostics.removeAll(where: WebhookNote.isOwed)
            transfers?.tell(webhook, of: run.id, installed.tasks[task].application, record: Self.payload(of: told))
        }
    }

    /// The run as the API shows it; the oldest diagnostics are left out where a payload has no room for all.
    private func payload(of run: RunHandle, _ slot: RunSlot) -> [UInt8] {
        var record = RunRecord(
            id: slot.id, identifier: runs.identifier(of: run) ?? "",
            application: installed.applicationName(of: slot.task),
            attempt: slot.attempt, outcome: slot.outcome, reason: slot.reason, submittedAt: slot.submitted,
            startedAt: slot.started?.time, expiredAt: slot.expired, endedAt: slot.ended, figures: slot.figures,
            diagnostics: runs[run].diagnostics.sentences)
        record.marks = runs[run].marks
        return Self.payload(of: record)
    }

    private static func payload(of run: RunRecord) -> [UInt8] {
        var record = run
        while true {
            let text = Array(RunDocument.json(record).text(.compact).utf8)
            if text.count <= TaskRequest.maximumPayload || record.diagnostics.isEmpty { return text }
            record.diagnostics.removeFirst()
        }
    }
}
