package import Engine
package import TaskModel
package import Wire

/// Who asked for runs hears of them. Called on the loop's thread, after the commit that remembers what it tells.
package protocol RunObserver: AnyObject {
    /// The run has its outcome. `slot` is forgotten afterwards; `host.record(of:)` gives the whole record meanwhile.
    func run(_ run: RunHandle, didEnd slot: RunSlot, in host: Host)
    func run(_ run: RunHandle, didProgress report: ProgressReport, in host: Host)
    func run(_ run: RunHandle, didPrint bytes: UnsafeRawBufferPointer, in host: Host)
}
