package import Linux
package import TaskModel

/// What of the awaited folders the loop serves, whoever waits for their files.
///
/// *Thread*: the loop's.
package class FolderSource<Waiter: Hashable>: EventSource {
    let folders: AwaitedFolders<Waiter>

    init(_ bounds: FileBounds) throws(SystemError) { folders = try AwaitedFolders(bounds) }

    /// A file system was mounted or unmounted.
    package func mountsChanged(at now: Instant) {
        folders.touchAll(at: now)
        folders.settle()
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) { try folders.attach(to: registry) }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        folders.serve(tag, at: now.instant)
    }

    package var nextDeadline: Instant { folders.deadline }

    package func advance(to now: ClockReading) { folders.advance(to: now.instant) }

    package func close() { folders.close() }
}
