package import Engine
package import TaskModel
package import Wire

/// Who asked for runs hears of them. Called on the loop's thread, after the commit that remembers what it tells.
package protocol RunObserver: AnyObject {
    /// The run has its outcome. `slot` is forgotten afterwards; `Host.record(of:)` gives the whole record meanwhile.
    func run(_ run: RunHandle, didEnd slot: RunSlot)
    func run(_ run: RunHandle, didProgress report: ProgressReport)
    func run(_ run: RunHandle, didPrint bytes: ArraySlice<UInt8>)
    /// It cannot be launched now, and is tried again.
    func run(_ run: RunHandle, waits wait: LaunchWait)
}

extension RunObserver {
    package func run(_ run: RunHandle, waits wait: LaunchWait) {}
}

/// Who watches everything that happens: the control API's streams. Called on the loop's thread, when it is decided; what must
/// be on disk first is told by `RunObserver` methods, after the commit.
package protocol HostAudience: RunObserver {
    /// The run was admitted.
    func runDidBegin(_ run: RunHandle)
    func run(_ run: RunHandle, didStartAt time: Timestamp)
    func run(_ run: RunHandle, didExpire reason: Reason)
    func requestChanged(_ what: String, _ identifier: String)
    func deviceChanged()
    func application(_ application: ApplicationIndex, isIn state: ApplicationState)
    /// The host ends a process of an application.
    func didTerminate(_ termination: Termination)
    func journal(_ kind: String, subject: String, text: String)
    /// What becomes of transfers is worth telling.
    var followsTransfers: Bool { get }
    func transfer(_ news: TransferNews, _ view: () -> TransferView)
}

/// What has become of a transfer.
package enum TransferNews: String, Sendable {
    case added
    /// It stands, waits or goes on otherwise than before. How far it is comes with it, and is no reason to tell.
    case changed
    case ended
}

/// Why a run that was asked for waits, though it may run.
package struct LaunchWait: Sendable, Equatable {
    /// What the host or the machine lacks for its launch.
    package var shortage: Shortage
    /// How often in a row that was so.
    package var returns: UInt32
    /// Until the next try.
    package var pause: TimeSpan
}
