/// A lock with the state that it protects. Not recursive; unlocked by the thread that locked it.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {  // the state is touched under the lock only
    private final class Storage {
        var state: State
        let lock = NSLock()
        init(_ state: State) { self.state = state }
    }
    private let storage: Storage

    /// - Parameter initialState: the protected state, Sendable or not.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    /// Runs `body` with the lock held.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }

    /// Runs `body` with the lock held; nil, without waiting, when another thread holds it.
    public func withLockIfAvailableUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result? {
        guard storage.lock.try() else { return nil }
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }

    /// Runs `body` with the lock held.
    public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Runs `body` with the lock held; nil, without waiting, when another thread holds it.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        try withLockIfAvailableUnchecked(body)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// - Parameter initialState: the protected state.
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock without state.
    public init() { self.init(uncheckedState: ()) }

    /// Waits for the lock and takes it.
    @available(*, noasync, message: "use withLock in asynchronous code")
    public func lock() { storage.lock.lock() }

    /// Gives the lock back.
    @available(*, noasync, message: "use withLock in asynchronous code")
    public func unlock() { storage.lock.unlock() }

    /// Takes the lock unless another thread holds it.
    @available(*, noasync, message: "use withLock in asynchronous code")
    public func lockIfAvailable() -> Bool { storage.lock.try() }

    /// Runs `body` with the lock held.
    public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body()
    }

    /// Runs `body` with the lock held.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }
}
