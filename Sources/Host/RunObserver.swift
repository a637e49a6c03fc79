package import Engine
package import Record
package import TaskModel
package import Wire

/// The requester of runs. Called on the loop's thread: of an end after the commit that records it, of the others in the turn that
/// reads them.
package protocol RunObserver: AnyObject {
    /// The run has its outcome. `slot` is released afterwards; until then `Host.record(of:)` returns the whole record.
    func run(_ run: RunHandle, didEnd slot: RunSlot)
    func run(_ run: RunHandle, didProgress report: ProgressReport)
    func run(_ run: RunHandle, didPrint bytes: ArraySlice<UInt8>)
    /// It cannot be launched now, and is tried again.
    func run(_ run: RunHandle, waits wait: LaunchWait)
}

extension RunObserver {
    package func run(_ run: RunHandle, didProgress report: ProgressReport) {}
    package func run(_ run: RunHandle, didPrint bytes: ArraySlice<UInt8>) {}
    package func run(_ run: RunHandle, waits wait: LaunchWait) {}
}

/// Watches all events: the control API's streams. Called on the loop's thread: of starts, expirations, ends and transfers once
/// their turn is durable, of everything else at the time of the decision.
package protocol HostAudience: RunObserver {
    /// The run was admitted.
    func runDidBegin(_ run: RunHandle)
    func run(_ run: RunHandle, didStartAt time: Timestamp)
    func run(_ run: RunHandle, didExpire reason: Reason)
    func run(_ run: RunHandle, didPrint bytes: ArraySlice<UInt8>, _ mark: LogMark)
    func requestChanged(_ what: String, _ identifier: String)
    func deviceChanged()
    func application(_ application: ApplicationIndex, isIn state: ApplicationState)
    /// The host ends a process of an application.
    func didTerminate(_ termination: Termination)
    func journal(_ entry: JournalEntry)
    /// Whether transfers' events are needed.
    var followsTransfers: Bool { get }
    func transfer(_ news: TransferNews, _ view: () -> TransferView)
}

/// An event of a transfer.
package enum TransferNews: String, Sendable {
    case added
    /// Its state or wait changed. Progress is included, but is not an event by itself.
    case changed
    case ended
}

/// Why a requested run waits, although it may run.
package struct LaunchWait: Sendable, Equatable {
    /// The resource that the host or the machine lacks for its launch.
    package var shortage: Shortage
    /// How often in a row that was so.
    package var returns: UInt32
    /// Until the next try.
    package var pause: TimeSpan
}
