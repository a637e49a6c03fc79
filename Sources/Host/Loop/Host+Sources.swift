package import Linux
import TaskModel

// What the loop serves beside workers: sockets, buses, watched folders.
extension Host {
    /// Adds a source to the loop, before or between turns. It stays until the host closes.
    package func add(_ source: any EventSource) throws(HostError) {
        let place = SourcePlace(number: UInt32(sources.count), poller: poller)
        sources.append(source)
        places.append(place)
        do throws(SystemError) {
            try source.attach(to: place)
        } catch {
            throw .system(error)
        }
    }

    /// The earliest moment at which a source wants to be called.
    var sourcesDeadline: Instant {
        var earliest = Instant.distantFuture
        for source in sources { earliest = min(earliest, source.nextDeadline) }
        return earliest
    }

    func serveSource(_ key: SourceKey, _ ready: ReadySource) {
        guard key.generation < sources.count else { return }
        sources[Int(key.generation)].serve(key.index, ready, at: now)
    }

    func advanceSources() {
        for source in sources where source.nextDeadline <= now.instant { source.advance(to: now) }
    }

    /// Whether a source has more to do at once.
    func settleSources() -> Bool {
        var isBusy = false
        for source in sources where source.afterCommit(at: now) { isBusy = true }
        return isBusy
    }

    func closeSources() {
        for source in sources.reversed() { source.close() }
        sources.removeAll()
        places.removeAll()
    }
}

/// One source's door to the poller: its tags become keys that carry its number.
final class SourcePlace: SourceRegistry {
    private let number: UInt32
    private let poller: Poller

    init(number: UInt32, poller: Poller) {
        self.number = number
        self.poller = poller
    }

    private func key(_ tag: UInt32) -> UInt64 { SourceKey(.source, index: tag, generation: number).bits }

    func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
        try poller.add(fd, key: key(tag), urgent: urgent)
    }

    func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setWritable(fd, on, key: key(tag)) }
    func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setReadable(fd, on, key: key(tag)) }
    func remove(_ fd: Int32) { poller.remove(fd) }
}
