import Glibc
package import Linux
import Synchronization
package import TaskModel

/// A loop as the host's, for one source: read, decide, commit, act. What the handler decides is put off until the commit.
package final class TestLoop: SourceRegistry {
    private static let wakeTag = UInt64(UInt32.max) + 1

    private let poller: Poller
    package let source: any EventSource
    /// Closures that wait for the turn's commit: answers, mostly.
    package var afterCommit: [() -> Void] = []
    /// How often the wait ended, but for the end of the test's own patience.
    package private(set) var wakes = 0
    private let mail: Mail
    /// The source's clocks are so far ahead of the machine's.
    package var ahead = TimeSpan.zero

    /// What other threads hand to the loop's thread.
    package final class Mail: Sendable {
        private let actions = Mutex<[@Sendable () -> Void]>([])
        fileprivate let counter: Descriptor

        fileprivate init() throws(SystemError) { counter = try Descriptor.eventCounter() }

        package func post(_ action: @escaping @Sendable () -> Void) {
            actions.withLock { $0.append(action) }
            var one: UInt64 = 1
            _ = write(counter.number, &one, 8)
        }

        fileprivate func deliver() {
            var count: UInt64 = 0
            _ = read(counter.number, &count, 8)
            let actions = actions.withLock { (actions: inout [@Sendable () -> Void]) in
                defer { actions = [] }
                return actions
            }
            for action in actions { action() }
        }
    }

    package init(_ source: any EventSource) throws {
        self.source = source
        poller = try Poller()
        mail = try Mail()
        try poller.add(mail.counter.number, key: Self.wakeTag)
        try source.attach(to: self)
    }

    package var mailbox: Mail { mail }

    /// Turns until `isDone`; false when the patience has run out.
    @discardableResult
    package func run(patience: Patience = Patience(), until isDone: () -> Bool) throws -> Bool {
        var patience = patience
        return try run(until: isDone) { now in
            patience.milliseconds().map { now + .milliseconds(Int64($0)) }
        }
    }

    /// Turns for as long as that, or until `isDone`; false when it is not.
    @discardableResult
    package func run(for span: TimeSpan, until isDone: () -> Bool) throws -> Bool {
        let end = Clock.moment().instant + span
        return try run(until: isDone) { $0 < end ? end : nil }
    }

    /// - Parameter limit: until when the next wait may last, given the current moment; nil: no more turns.
    private func run(until isDone: () -> Bool, limit: (Instant) -> Instant?) throws -> Bool {
        var isBusy = false
        while !isDone() {
            var now = Clock.moment()
            guard let end = limit(now.instant) else { return false }
            let due = source.nextDeadline
            let deadline =
                isBusy
                ? now.instant : due == .distantFuture ? due : max(now.instant, now.instant + (due - shown(now).instant))
            let ready = try poller.wait(until: min(deadline, end), now: now.instant)
            if ready > 0 || deadline < end { wakes += 1 }
            now = Clock.moment()
            for index in 0..<ready {
                if poller[index].key == Self.wakeTag {
                    mail.deliver()
                } else {
                    source.serve(UInt32(poller[index].key), poller[index], at: shown(now))
                }
            }
            source.advance(to: shown(now))
            let work = afterCommit
            afterCommit = []
            for action in work { action() }
            isBusy = source.afterCommit(at: shown(now)) || !afterCommit.isEmpty
        }
        return true
    }

    /// What the source's clocks show.
    private func shown(_ now: ClockReading) -> ClockReading {
        ClockReading(instant: now.instant + ahead, time: now.time + ahead)
    }

    // MARK: SourceRegistry

    package func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
        try poller.add(fd, key: UInt64(tag), urgent: urgent)
    }
    package func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setWritable(fd, on, key: UInt64(tag)) }
    package func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) {}
    package func remove(_ fd: Int32) { poller.remove(fd) }
}
