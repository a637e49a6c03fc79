internal import TaskHostRuntime

/// A lock in one word. Not recursive; unlocked by the thread that locked it; must not move while it is in use.
public struct os_unfair_lock_s {
    /// 0 when it is unlocked.
    public var _os_unfair_lock_opaque: UInt32
    /// Makes a lock that is unlocked.
    public init() { _os_unfair_lock_opaque = 0 }
    /// - Parameter _os_unfair_lock_opaque: 0.
    public init(_os_unfair_lock_opaque: UInt32) { self._os_unfair_lock_opaque = _os_unfair_lock_opaque }
}

/// A lock in one word.
public typealias os_unfair_lock = os_unfair_lock_s
/// Where a lock is.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

extension os_unfair_lock_t {
    /// The lock's only member.
    fileprivate var word: UnsafeMutablePointer<UInt32> {
        unsafe UnsafeMutableRawPointer(self).assumingMemoryBound(to: UInt32.self)
    }
}

/// Waits for the lock and takes it. Ends the process when the calling thread has it already.
@available(*, noasync, message: "use OSAllocatedUnfairLock.withLock in asynchronous code")
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { unsafe UnfairLock.lock(lock.word) }

/// Takes the lock unless a thread holds it.
@available(*, noasync, message: "use OSAllocatedUnfairLock.withLockIfAvailable in asynchronous code")
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { unsafe UnfairLock.tryLock(lock.word) }

/// Gives the lock back. Ends the process when the calling thread does not have it.
@available(*, noasync, message: "use OSAllocatedUnfairLock.withLock in asynchronous code")
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { unsafe UnfairLock.unlock(lock.word) }

/// Ends the process unless the calling thread has the lock.
public func os_unfair_lock_assert_owner(_ lock: os_unfair_lock_t) { unsafe UnfairLock.assert(lock.word, isMine: true) }

/// Ends the process when the calling thread has the lock.
public func os_unfair_lock_assert_not_owner(_ lock: os_unfair_lock_t) {
    unsafe UnfairLock.assert(lock.word, isMine: false)
}
