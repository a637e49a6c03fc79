package import TaskModel

/// Lets launches through: any number, or one after the other while descriptors are short. Without it all of them would take some,
/// fail together, and come back together.
///
/// After a launch that lacked descriptors none is let through until some may have come free: a worker has given back its own, or a
/// second has passed.
package struct LaunchGate: Sendable {
    private static let rest = TimeSpan.seconds(1)
    /// A launch whose end nobody told of.
    private static let patience = TimeSpan.seconds(10)

    /// A launch lacked descriptors: they go one after the other until none waits.
    package private(set) var isShort = false
    /// None is let through until then.
    private var closedUntil = Instant(nanoseconds: 0)
    /// The launch that the others wait for, and until when at most.
    private var underWay: (worker: WorkerHandle, until: Instant)?

    package init() {}

    package func lets(at now: Instant) -> Bool { !isShort || now >= deadline }

    /// Until when launches wait, without news.
    package var deadline: Instant { max(closedUntil, underWay?.until ?? closedUntil) }

    /// A launch begins that was let through.
    package mutating func begin(_ worker: WorkerHandle, at now: Instant) {
        if isShort { underWay = (worker, now + Self.patience) }
    }

    /// A launch lacked descriptors.
    package mutating func lacked(at now: Instant) {
        isShort = true
        underWay = nil
        closedUntil = now + Self.rest
    }

    /// The worker is ready, or there is none.
    package mutating func end(_ worker: WorkerHandle) {
        if underWay?.worker == worker { underWay = nil }
    }

    /// A worker has given its descriptors back, or a person waits.
    package mutating func cameFree() { closedUntil = Instant(nanoseconds: 0) }

    /// Nothing waits for a launch any more.
    package mutating func drain() {
        if underWay == nil, closedUntil == Instant(nanoseconds: 0) { isShort = false }
    }
}
