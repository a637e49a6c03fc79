package import Linux
package import TaskModel

/// Announces that a file system was mounted or unmounted: proc(5) has poll(2) report it on /proc/self/mountinfo.
///
/// *Thread*: the loop's.
package final class MountWatch: EventSource {
    private let mounts: Descriptor
    private let onChange: (Instant) -> Void
    private weak var registry: (any SourceRegistry)?

    package init(onChange: @escaping (Instant) -> Void) throws(SystemError) {
        self.onChange = onChange
        mounts = try Descriptor.open("/proc/self/mountinfo", .O_RDONLY)
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        try registry.add(mounts.number, tag: 0, urgent: true)
    }

    // The kernel reports a change to a descriptor once.
    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) { onChange(now.instant) }

    package func close() { registry?.remove(mounts.number) }
}
