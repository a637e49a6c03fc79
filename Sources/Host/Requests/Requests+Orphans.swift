import JSON
import Scheduling
import TaskModel

// Requests whose task no installed manifest has. They are kept, listed and cancelled like others, and wait for it.
extension Requests {
    func keepOrphan(_ stored: borrowing TaskRequest) {
        var orphan = copy stored
        (orphan.payload, orphan.settings) = ([], [])  // read again when its task comes
        orphans[orphan.identity] = orphan
    }

    private func orphan(_ identifier: String) -> TaskRequest? {
        orphans.named(identifier).first
    }

    /// Deletes it for the user. False: there is none.
    @discardableResult
    func cancelOrphan(_ identifier: String) -> Bool {
        guard let orphan = orphan(identifier) else { return false }
        orphans[orphan.identity] = nil
        forget(RequestKey(identity: orphan.identity, submitted: orphan.submitted))
        tellCancelled(identifier)
        return true
    }

    /// In the order of their submission.
    var orphanDocuments: [JSONOutput] {
        orphans.values.sorted { $0.submitted < $1.submitted }.map(Self.document)
    }

    /// Why it waits; nil: there is no such request.
    func whyOrphanDocument(_ identifier: String) -> JSONOutput? {
        guard let orphan = orphan(identifier) else { return nil }
        let reports = [Self.missingManifest]
        return explanation(
            of: identifier, application: orphan.application, request: Self.document(orphan), reports,
            summary: Scheduler.summary(of: reports), next: nil)
    }

    private static let missingManifest = GateReport(
        gate: .manifest, verdict: .closed, holds: true, found: "no manifest has the task", opens: "its manifest")

    private static func document(_ orphan: TaskRequest) -> JSONOutput {
        RequestDocument.json(orphan, waiting: Scheduler.phrase(of: [missingManifest]), next: nil, gates: [.manifest])
    }
}
