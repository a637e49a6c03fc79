import Control
import Glibc
import Linux
import TaskModel

/// A loop as the host's, for one source: read, decide, commit, act. What the handler decides is put off until the commit.
final class TestLoop: SourceRegistry {
    private let poller: Poller
    private var tags: [Int32: UInt32] = [:]
    let source: any EventSource
    /// Closures that wait for the turn's commit: answers, mostly.
    var afterCommit: [() -> Void] = []
    private(set) var turns = 0
    /// How often the wait ended.
    private(set) var wakes = 0

    init(_ source: any EventSource) throws {
        self.source = source
        poller = try Poller()
        try source.attach(to: self)
    }

    /// Turns until `isDone`; false when that took too long.
    @discardableResult
    func run(within limit: TimeSpan = .seconds(20), until isDone: () -> Bool) throws -> Bool {
        let end = Clock.moment().instant + limit
        var isBusy = false
        while !isDone() {
            var now = Clock.moment()
            if now.instant >= end { return false }
            let deadline = isBusy ? now.instant : min(source.nextDeadline, end)
            let ready = try poller.wait(until: deadline, now: now.instant)
            wakes += 1
            now = Clock.moment()
            for index in 0..<ready { source.serve(UInt32(poller[index].key), poller[index], at: now) }
            source.advance(to: now)
            let work = afterCommit
            afterCommit = []
            for action in work { action() }
            isBusy = source.afterCommit(at: now) || !afterCommit.isEmpty
            turns += 1
        }
        return true
    }

    // MARK: SourceRegistry

    func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
        try poller.add(fd, key: UInt64(tag), urgent: urgent)
    }
    func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setWritable(fd, on, key: UInt64(tag)) }
    func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) {}
    func remove(_ fd: Int32) { poller.remove(fd) }
}
