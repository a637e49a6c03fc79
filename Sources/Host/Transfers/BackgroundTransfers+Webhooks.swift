import Setting
import TaskModel
import Wire

// The records of failures for webhooks of manifests.
extension BackgroundTransfers {
    /// Sends it once this turn is recorded.
    ///
    /// - Parameters:
    ///   - run: of which the record is.
    ///   - record: as JSON.
    func tell(_ webhook: String, of run: ULID, _ application: ApplicationIndex, record: [UInt8]) {
        let origin = WebURL(webhook)?.origin ?? ShownURL.none
        let letter = Outgoing.Letter(
            lane: .webhook(application, origin: origin), url: webhook,
            headers: [HTTPHeader("Content-Type", "application/json")], body: record,
            // The permissions that hold when it leaves.
            prepare: { [unowned self] (order) throws(TransferRefusal) in try credentials.trust(&order, of: application)
            },
            didEnd: { [unowned self] isDelivered, clause in
                runs.noteLate(WebhookNote.told(isDelivered, webhook, clause), of: run)
                guard isDelivered, let log = announcer.log, log.includesAll else { return }
                log.add(LogEntry(.info, nil, "a webhook was told; \(origin): \(clause); see: taskhost show \(run)"))
            })
        keeper.afterCommit { [unowned self] in outgoing.post(letter) }
    }
}
