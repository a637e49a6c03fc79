import Linux
import TaskModel
import TestSupport

/// The host's loop in small: sources, served until something the test waits for has happened.
final class TestLoop {
    private let sources: [any EventSource]
    private var registries: [Registry] = []
    private let poller: Poller
    /// How often the wait returned, but for the end of the test's own patience: each is a wake-up.
    private(set) var turns = 0

    init(_ sources: any EventSource...) throws {
        self.sources = sources
        poller = try Poller()
        for (index, source) in sources.enumerated() {
            let registry = Registry(poller, source: UInt64(index))
            registries.append(registry)
            try source.attach(to: registry)
        }
    }

    deinit { for source in sources { source.close() } }

    var openDescriptors: Int { registries.reduce(0) { $0 + $1.descriptors.count } }

    /// Turns until `isDone`; fails when that does not come.
    func run(until isDone: () throws -> Bool) throws {
        var patience = Patience()
        while try !isDone() {
            guard let milliseconds = patience.milliseconds() else {
                throw Problem.vain("what the loop should bring", seen: "\(turns) turns")
            }
            try turn(until: Clock.moment().instant + .milliseconds(Int64(milliseconds)))
        }
    }

    /// Turns for as long as `span`, whatever happens.
    func run(for span: TimeSpan) throws {
        let end = Clock.moment().instant + span
        while Clock.moment().instant < end { try turn(until: end) }
    }

    private func turn(until end: Instant) throws {
        let deadline = sources.map(\.nextDeadline).min() ?? end
        let count = try poller.wait(until: min(deadline, end), now: Clock.moment().instant)
        if count > 0 || deadline < end { turns += 1 }
        let now = Clock.moment()
        for index in 0..<count {
            let ready = poller[index]
            sources[Int(ready.key >> 32)].serve(UInt32(truncatingIfNeeded: ready.key), ready, at: now)
        }
        for source in sources { source.advance(to: now) }
        for source in sources { while source.afterCommit(at: now) {} }
    }

    private final class Registry: SourceRegistry {
        let poller: Poller
        let source: UInt64
        var descriptors: Set<Int32> = []

        init(_ poller: Poller, source: UInt64) {
            self.poller = poller
            self.source = source << 32
        }

        func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
            try poller.add(fd, key: source | UInt64(tag), urgent: urgent)
            descriptors.insert(fd)
        }
        func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setWritable(fd, on, key: source | UInt64(tag)) }
        func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) {}
        func remove(_ fd: Int32) {
            poller.remove(fd)
            descriptors.remove(fd)
        }
    }
}
