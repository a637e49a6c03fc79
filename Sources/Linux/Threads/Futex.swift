import CLinux
import Synchronization

/// A word that threads wait on (futex(2)): a thread that reads it before it checks, and waits while it is unchanged, misses
/// nothing.
@safe package struct Futex: ~Copyable, @unchecked Sendable {
    // An atomic of 32 bits consists of these bits alone; the memory lives as long as this value.
    private let word: UnsafeMutablePointer<Atomic<UInt32>>

    package init() {
        unsafe word = .allocate(capacity: 1)
        unsafe word.initialize(to: Atomic(0))
    }

    deinit {
        unsafe word.deinitialize(count: 1)
        unsafe word.deallocate()
    }

    package var value: UInt32 { unsafe word.pointee.load(ordering: .acquiring) }

    package borrowing func set(_ value: UInt32) { unsafe word.pointee.store(value, ordering: .releasing) }

    package borrowing func advance() { unsafe word.pointee.wrappingAdd(1, ordering: .releasing) }

    /// Sleeps until another thread wakes this one. It returns at once when the word has changed, and may return spuriously.
    package borrowing func wait(while value: UInt32) { _ = unsafe clinux_futex_wait(address, value, -1) }

    package borrowing func wakeOne() { _ = unsafe clinux_futex_wake(address, 1) }
    package borrowing func wakeAll() { _ = unsafe clinux_futex_wake(address, Int32.max) }

    private var address: UnsafeMutablePointer<UInt32> {
        unsafe UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self)
    }
}
