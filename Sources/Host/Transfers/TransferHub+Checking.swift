import Record
package import TaskModel

// For `taskhost check`.
extension TransferHub {
    /// Calls the application for the events of every background session that it has made, of which there may be none.
    ///
    /// - Returns: the sessions' identifiers.
    package func callForEvents(of application: ApplicationIndex) -> [String] {
        let found = names[application] ?? [:]
        for handle in found.values { wake(handle) }
        return found.keys.sorted()
    }

    /// Whether it has not called the completion handler of some session's events.
    package func awaitsHandling(by application: ApplicationIndex) -> Bool {
        sessions(of: application).contains(where: \.stored.awaitsHandling)
    }
}
