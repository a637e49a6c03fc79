import TaskHostFoundation

/// A value behind a lock.
final class Guarded<Value>: @unchecked Sendable {  // `stored` is used under the lock alone
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value { lock.withLock { stored } }

    /// Nothing that is called in `body` may come back here.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&stored)
    }
}
