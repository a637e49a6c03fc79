package import TaskModel

// Requests whose task no installed manifest has. They are kept, listed and cancelled like others, and wait for it.
extension Requests {
    func keepOrphan(_ stored: borrowing TaskRequest) {
        var orphan = copy stored
        (orphan.payload, orphan.settings) = ([], [])  // read again when its task comes
        orphans[orphan.identity] = orphan
    }

    package func orphan(_ identifier: String) -> TaskRequest? {
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
}
