package import TaskModel

/// Why a transfer does not go on.
package enum TransferWait: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Its application has not resumed it, or has suspended it.
    case suspended = 1
    /// A person paused it.
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
    /// Its session has as many connections to that host as it may have.
    case perHost
    /// As many transfers go on as may, in all or of its application.
    case concurrency
    /// No daemon serves the state. The policy never says so: whoever answers in a daemon's place does.
    case notServed

    /// The word used in JSON and on screens.
    package var name: String { String(describing: self) }
}

/// Why a transfer does not go on, and when that is over by itself.
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
    /// Attempts that go on.
    package var running = 0
    /// Transfers that are not over; those that run are among them.
    package var open = 0
    /// Over, and not yet told.
    package var untold = 0

    package init() {}
}
