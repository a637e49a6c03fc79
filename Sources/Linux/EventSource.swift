package import TaskModel

/// A source of events, other than workers, that the host's loop serves: a control socket, a bus, a watched folder.
///
/// Everything is called on the loop's thread. A source reports news through its owner's closures; it never waits, and
/// never blocks for longer than a system call does.
package protocol EventSource: AnyObject {
    /// Registers the source's descriptors. Called once, before the first turn.
    func attach(to registry: any SourceRegistry) throws(SystemError)
    /// One of its descriptors is ready. `tag` is the number it was registered with.
    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading)
    /// When `advance` has to be called; `distantFuture`: not without an event.
    var nextDeadline: Instant { get }
    /// Performs everything that is due. Called in every turn after the descriptors were served.
    func advance(to now: ClockReading)
    /// The turn's record is on disk and its effects are out: work that had to wait for that happens here. True when there is
    /// more work, so that the loop must not sleep.
    func afterCommit(at now: ClockReading) -> Bool
    /// Releases everything. Called once, after the last turn.
    func close()
}

extension EventSource {
    package var nextDeadline: Instant { .distantFuture }
    package func advance(to now: ClockReading) {}
    package func afterCommit(at now: ClockReading) -> Bool { false }
}

/// Where a source registers descriptors with the loop. Tags are the source's own numbers.
package protocol SourceRegistry: AnyObject {
    /// - Parameter urgent: for files that announce changes as POLLPRI (PSI triggers, cgroup.events).
    func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError)
    /// Also, or no longer, report that `fd` takes more.
    func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32)
    /// Whether readiness to read is reported; on after `add`.
    func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32)
    /// Call before the descriptor is closed.
    func remove(_ fd: Int32)
}
