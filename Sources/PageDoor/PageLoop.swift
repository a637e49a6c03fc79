package import Linux
import TaskModel

/// A loop of a few sources, and of descriptors whose news only its caller understands. One thread, which it was made on.
package final class PageLoop {
    /// Of the descriptors that the caller watches.
    private static let inputs = UInt32.max

    private let poller: Poller
    private let sources: [any EventSource]
    private var doors: [Door] = []

    /// One source's door to the poller: its tags become keys that carry its number.
    private final class Door: SourceRegistry {
        private let number: UInt32
        private let poller: Poller

        init(_ number: UInt32, _ poller: Poller) {
            self.number = number
            self.poller = poller
        }

        private func key(_ tag: UInt32) -> UInt64 { PageLoop.key(number, tag) }

        func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
            try poller.add(fd, key: key(tag), urgent: urgent)
        }

        func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setWritable(fd, on, key: key(tag)) }
        func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setReadable(fd, on, key: key(tag)) }
        func remove(_ fd: Int32) { poller.remove(fd) }
    }

    package init(_ sources: [any EventSource]) throws(SystemError) {
        self.sources = sources
        poller = try Poller()
        for (number, source) in sources.enumerated() {
            let door = Door(UInt32(number), poller)
            doors.append(door)
            try source.attach(to: door)
        }
    }

    private static func key(_ source: UInt32, _ tag: UInt32) -> UInt64 { UInt64(source) << 32 | UInt64(tag) }

    // MARK: Inputs

    /// Watches a descriptor for reading. False: it is a file, which is never waited for.
    @discardableResult
    package func watch(_ input: Int32) -> Bool {
        (try? poller.add(input, key: Self.key(Self.inputs, UInt32(bitPattern: input)))) != nil
    }

    package func unwatch(_ input: Int32) { poller.remove(input) }

    // MARK: Turns

    /// Turns until `isOver`, which is asked after each turn.
    ///
    /// - Parameter news: called for a watched descriptor that can be read.
    package func run(until isOver: () -> Bool, news: (Int32) -> Void) throws(SystemError) {
        var isBusy = false
        while !isOver() {
            let before = Clock.moment().instant
            let deadline = sources.reduce(Instant.distantFuture) { min($0, $1.nextDeadline) }
            let count = try poller.wait(until: isBusy ? before : deadline, now: before)
            let now = Clock.moment()
            for index in 0..<count {
                let ready = poller[index]
                let source = UInt32(truncatingIfNeeded: ready.key >> 32)
                let tag = UInt32(truncatingIfNeeded: ready.key)
                if source == Self.inputs {
                    news(Int32(bitPattern: tag))
                } else {
                    sources[Int(source)].serve(tag, ready, at: now)
                }
            }
            for source in sources where source.nextDeadline <= now.instant { source.advance(to: now) }
            isBusy = false
            for source in sources where source.afterCommit(at: now) { isBusy = true }
        }
    }

    /// Lets the sources end, the last one first.
    package func close() {
        for source in sources.reversed() { source.close() }
    }
}
