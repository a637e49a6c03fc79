import Linux
import TaskModel
import TestSupport

/// The host's loop in small: one source, served until something the test waits for has happened.
final class TestLoop: SourceRegistry {
    let source: any EventSource
    private let poller: Poller
    /// How often the wait returned: each is a wake-up.
    private(set) var turns = 0
    private(set) var openDescriptors: Set<Int32> = []

    init(_ source: any EventSource) throws {
        self.source = source
        poller = try Poller()
        try source.attach(to: self)
    }

    deinit { source.close() }

    func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
        try poller.add(fd, key: UInt64(tag), urgent: urgent)
        openDescriptors.insert(fd)
    }
    func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setWritable(fd, on, key: UInt64(tag)) }
    func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) {}
    func remove(_ fd: Int32) {
        poller.remove(fd)
        openDescriptors.remove(fd)
    }

    /// Turns until `isDone`; fails when that does not come in time.
    func run(within limit: TimeSpan = .seconds(20), until isDone: () throws -> Bool) throws {
        let end = Clock.moment().instant + limit
        while try !isDone() {
            let now = Clock.moment()
            guard now.instant < end else { throw Problem("waited \(limit) in vain") }
            try turn(until: end)
        }
    }

    /// Turns for as long as `span`, whatever happens.
    func run(for span: TimeSpan) throws {
        let end = Clock.moment().instant + span
        while Clock.moment().instant < end { try turn(until: end) }
    }

    private func turn(until end: Instant) throws {
        let now = Clock.moment()
        let count = try poller.wait(until: min(end, source.nextDeadline), now: now.instant)
        turns += 1
        let moment = Clock.moment()
        for index in 0..<count {
            source.serve(UInt32(poller[index].key), poller[index], at: moment)
        }
        source.advance(to: moment)
        while source.afterCommit(at: moment) {}
    }
}
