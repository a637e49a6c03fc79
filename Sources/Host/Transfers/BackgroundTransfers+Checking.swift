import Record
package import TaskModel

// For `taskhost check`.
extension BackgroundTransfers {
    /// Calls the application for the events of every background session that it has made, of which there may be none.
    ///
    /// - Returns: the sessions' identifiers.
    package func callForEvents(of application: ApplicationIndex) -> [String] {
        let found = sessions.all(of: application)
        for session in found { delivery.wake(session.handle) }
        return found.map(\.stored.identifier).sorted()
    }

    /// Whether it has not called the completion handler of some session's events.
    package func awaitsHandling(by application: ApplicationIndex) -> Bool {
        sessions.all(of: application).contains(where: \.stored.awaitsHandling)
    }
}
