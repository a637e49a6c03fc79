import Linux
import TaskModel

/// Several sources as one, for a loop that takes one.
final class Several: EventSource {
    /// Bits of a tag that are the source's own.
    private static let bits: UInt32 = 24

    private var sources: [(any EventSource)?] = []
    private var doors: [Door] = []
    private weak var registry: (any SourceRegistry)?

    private final class Door: SourceRegistry {
        private let number: UInt32
        private weak var registry: (any SourceRegistry)?

        init(_ number: UInt32, _ registry: any SourceRegistry) {
            self.number = number
            self.registry = registry
        }

        private func tag(_ tag: UInt32) -> UInt32 { number << Several.bits | tag }

        func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
            try registry?.add(fd, tag: self.tag(tag), urgent: urgent)
        }
        func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) {
            registry?.setWritable(fd, on, tag: self.tag(tag))
        }
        func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) {
            registry?.setReadable(fd, on, tag: self.tag(tag))
        }
        func remove(_ fd: Int32) { registry?.remove(fd) }
    }

    /// Adds a source to a loop that runs.
    func add(_ source: any EventSource) throws(SystemError) {
        guard let registry else { preconditionFailure("the loop has these sources already") }
        let door = Door(UInt32(sources.count), registry)
        doors.append(door)
        sources.append(source)
        try source.attach(to: door)
    }

    /// Ends one.
    func end(_ source: any EventSource) {
        guard let index = sources.firstIndex(where: { $0 === source }) else { return }
        source.close()
        sources[index] = nil
    }

    // MARK: EventSource

    func attach(to registry: any SourceRegistry) { self.registry = registry }

    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        sources[Int(tag >> Self.bits)]?.serve(tag & (1 << Self.bits - 1), ready, at: now)
    }

    var nextDeadline: Instant { sources.reduce(.distantFuture) { min($0, $1?.nextDeadline ?? .distantFuture) } }

    func advance(to now: ClockReading) { for source in sources { source?.advance(to: now) } }

    func afterCommit(at now: ClockReading) -> Bool {
        var isBusy = false
        for source in sources where source?.afterCommit(at: now) == true { isBusy = true }
        return isBusy
    }

    func close() { for source in sources.reversed() { source?.close() } }
}
