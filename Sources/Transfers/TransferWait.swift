package import TaskModel

/// Why a transfer waits.
package enum TransferWait: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// Its application has not resumed it, or has suspended it.
    case suspended = 1
    /// The user paused it.
    case person
    /// Its application has no manifest any more.
    case applicationMissing
    /// `earliestBeginDate`.
    case date
    /// The delay of transfers that an application starts in the background (60, 120, 240 … s).
    case delay
    /// An attempt failed; the next one comes after a pause.
    case backoff
    /// Its application has to answer a question.
    case answer
    /// The machine sleeps.
    case sleep
    case network
    /// A network that neither costs money nor is slow.
    case unmeteredNetwork
    case power
    case lowPower
    /// No window of the configuration is open for work that may wait.
    case window
    /// Space on the disk.
    case disk
    /// Its session has as many connections to that server as it may have.
    case perHost
    /// As many transfers as allowed are running, in all or of its application.
    case concurrency
    /// No daemon serves the state folder. The policy never returns it: code that answers without a daemon does.
    case notServed
}

/// Why a transfer waits, and when that ends without an event.
package struct TransferWaiting: Sendable, BitwiseCopyable, Equatable {
    package var reason: TransferWait
    /// nil: when something happens.
    package var until: Timestamp?

    package init(_ reason: TransferWait, until: Timestamp? = nil) {
        self.reason = reason
        self.until = until
    }
}

/// How many transfers there are.
package struct TransferCounts: Sendable, BitwiseCopyable, Equatable {
    /// Attempts in progress.
    package var running = 0
    /// Transfers that are not over; those that run are among them.
    package var open = 0
    /// Over, and not yet delivered.
    package var untold = 0

    package init() {}
}
