package import Linux
package import TaskModel

/// Everything that may become ready: stop signals, event sources such as sockets, buses and watched folders, and the
/// descriptors that the host's parts add to its poller. Thread: the loop's.
package final class EventLoop {
    package let poller: Poller
    /// Those that ask it to stop, or to read its manifests again.
    package let signals: SignalQueue
    private var sources: [any EventSource] = []
    private var places: [SourcePlace] = []
    /// Which of them wait for moments alone: these are the host's, those of the others the machine's.
    private var isTimed: [Bool] = []
    /// A source has more to do than the last turn allowed.
    package private(set) var isBusy = false

    /// - Parameter record: becomes ready when turns have become durable; nil: they are at once.
    package init(record: Int32?) throws(HostError) {
        do throws(SystemError) {
            poller = try Poller()
            signals = try SignalQueue([.SIGINT, .SIGTERM, .SIGHUP])
            try poller.add(signals.descriptor.number, key: SourceKey(.signal).bits)
            if let record { try poller.add(record, key: SourceKey(.record).bits) }
        } catch {
            throw .system(error)
        }
    }

    // MARK: Sources

    /// Adds a source, before or between turns. It stays until the loop closes.
    package func add(_ source: any EventSource) throws(HostError) {
        let place = SourcePlace(number: UInt32(sources.count), poller: poller)
        sources.append(source)
        isTimed.append(source is any TimedSource)
        places.append(place)
        try HostError.rethrowing(system: source.attach(to: place))
    }

    /// The earliest deadline of a source, by the host's clock or by the machine's.
    package func nextDeadline(byHost: Bool) -> Instant {
        var earliest = Instant.distantFuture
        for (index, source) in sources.enumerated() where isTimed[index] == byHost {
            earliest = min(earliest, source.nextDeadline)
        }
        return earliest
    }

    package func serve(_ key: SourceKey, _ ready: ReadySource, at now: ClockReading) {
        guard key.generation < sources.count else { return }
        sources[Int(key.generation)].serve(key.index, ready, at: now)
    }

    package func advance(to now: ClockReading, _ machine: ClockReading) {
        for (index, source) in sources.enumerated() {
            let time = isTimed[index] ? now : machine
            if source.nextDeadline <= time.instant { source.advance(to: time) }
        }
    }

    /// Lets the sources act after the commit.
    package func settle(at now: ClockReading, _ machine: ClockReading) {
        isBusy = false
        for (index, source) in sources.enumerated() where source.afterCommit(at: isTimed[index] ? now : machine) {
            isBusy = true
        }
    }

    package func close() {
        for source in sources.reversed() { source.close() }
        sources.removeAll()
        places.removeAll()
        isTimed.removeAll()
    }
}
