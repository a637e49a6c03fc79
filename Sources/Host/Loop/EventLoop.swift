import CLinux
import Engine
import Glibc
import Linux
import TaskModel

/// What may become ready: stop signals, event sources such as sockets, buses and watched folders, and whatever the host's
/// parts add to its poller. Thread: the loop's.
final class EventLoop {
    let poller: Poller
    private let signals: Descriptor
    private var sources: [any EventSource] = []
    private var places: [SourcePlace] = []
    /// A source has more to do than the last turn allowed.
    private(set) var isBusy = false

    /// - Parameter record: tells that turns have become durable; nil: they always are at once.
    init(record: Int32?) throws(HostError) {
        do throws(SystemError) {
            poller = try Poller()
            var stopSignals = [SIGINT, SIGTERM, SIGHUP]
            signals = Descriptor(
                adopting: try check(clinux_signalfd(&stopSignals, Int32(stopSignals.count)), "signalfd"))
            try poller.add(signals.number, key: SourceKey(.signal).bits)
            if let record { try poller.add(record, key: SourceKey(.record).bits) }
        } catch {
            throw .system(error)
        }
    }

    // MARK: Signals

    /// Takes the signals that have come.
    func takeSignals() -> [Int32] {
        var taken: [Int32] = []
        while true {
            let signal = clinux_signalfd_read(signals.number)
            guard signal > 0 else { return taken }
            taken.append(signal)
        }
    }

    /// Whether a signal waits to be taken.
    var hasSignal: Bool {
        var place = pollfd(fd: signals.number, events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, 0) > 0
    }

    // MARK: Sources

    /// Adds a source, before or between turns. It stays until the loop closes.
    func add(_ source: any EventSource) throws(HostError) {
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
    var nextDeadline: Instant {
        var earliest = Instant.distantFuture
        for source in sources { earliest = min(earliest, source.nextDeadline) }
        return earliest
    }

    func serve(_ key: SourceKey, _ ready: ReadySource, at now: ClockReading) {
        guard key.generation < sources.count else { return }
        sources[Int(key.generation)].serve(key.index, ready, at: now)
    }

    func advance(to now: ClockReading) {
        for source in sources where source.nextDeadline <= now.instant { source.advance(to: now) }
    }

    /// Lets the sources act after the commit.
    func settle(at now: ClockReading) {
        isBusy = false
        for source in sources where source.afterCommit(at: now) { isBusy = true }
    }

    func close() {
        for source in sources.reversed() { source.close() }
        sources.removeAll()
        places.removeAll()
    }
}
