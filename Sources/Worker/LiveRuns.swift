import CTaskHost
import Linux
import Synchronization
import TaskModel

/// The runs of this process: found by handle for an expiration, recycled when their last reference goes.
///
/// Freed states are reused oldest first and never unmapped, so that a plugin that uses a task after its end meets a dead
/// state for a good while instead of another run.
final class LiveRuns: Sendable {
    /// A state is reused only when at least this many are free.
    private static let quarantine = 16

    // States are never unmapped.
    @safe private struct Lists: @unchecked Sendable {  // the pointers are shared on purpose; the lock guards the lists
        var live: [UnsafeMutablePointer<HandlerRun>] = unsafe []
        var free: [UnsafeMutablePointer<HandlerRun>] = unsafe []
        var freeHead = 0
    }
    private let lists = Mutex(Lists())

    /// Carries a pointer out of the lock: threads share states, whose members are atomic or locked.
    // States are never unmapped.
    @safe private struct Shared: @unchecked Sendable {
        let state: UnsafeMutablePointer<HandlerRun>
    }

    /// A state for the run, with one reference, listed as live.
    func make(
        _ run: RunHandle, host: UnsafePointer<taskhost_host>, deadline: Instant = .distantFuture
    ) -> UnsafeMutablePointer<HandlerRun> {
        let found: Shared = lists.withLock { lists in
            let state: UnsafeMutablePointer<HandlerRun>
            if unsafe lists.free.count - lists.freeHead > Self.quarantine {
                unsafe state = lists.free[lists.freeHead]
                lists.freeHead += 1
                if lists.freeHead > 4 * Self.quarantine {
                    unsafe lists.free.removeFirst(lists.freeHead)
                    lists.freeHead = 0
                }
            } else {
                unsafe state = UnsafeMutablePointer<HandlerRun>.allocate(capacity: 1)
                unsafe state.initialize(to: HandlerRun(host: host))
            }
            unsafe state.pointee.begin(run)
            unsafe state.pointee.task.deadline = deadline.nanoseconds
            unsafe state.pointee.deadline.store(deadline.nanoseconds, ordering: .relaxed)
            unsafe lists.live.append(state)
            return unsafe Shared(state: state)
        }
        return unsafe found.state
    }

    /// The live run with a reference for the caller; nil when it no longer exists.
    func retain(_ run: RunHandle) -> UnsafeMutablePointer<HandlerRun>? {
        let found: Shared? = lists.withLock { lists in
            // Newest last: an expiration mostly concerns a run that has been there for long, but there are few.
            guard let state = unsafe lists.live.first(where: { unsafe $0.pointee.handle == run }) else { return nil }
            var count = unsafe state.pointee.references.load(ordering: .relaxed)
            while count > 0 {
                let (done, current) = unsafe state.pointee.references.weakCompareExchange(
                    expected: count, desired: count + 1, ordering: .acquiring)
                if done { return unsafe Shared(state: state) }
                count = current
            }
            return nil
        }
        return unsafe found?.state
    }

    /// Creates as many states as are kept from reuse: later runs need no new memory, which would look like a leak.
    func fill() {
        let made = (0...Self.quarantine).map { number in
            unsafe Shared(state: make(RunHandle(index: .max, generation: UInt32(number)), host: HostServices.table))
        }
        for shared in made {
            unsafe shared.state.pointee.reserve(256)
            // The lock of `recycle` publishes it.
            unsafe shared.state.pointee.references.store(0, ordering: .relaxed)
            unsafe recycle(shared.state)
        }
    }

    /// Completed runs that still have references, and runs whose expiration handler has not returned, which is a reference
    /// as well.
    func unreleased() -> (completed: UInt32, expiring: UInt32) {
        lists.withLock { lists in
            var found = (completed: UInt32(0), expiring: UInt32(0))
            for index in unsafe lists.live.indices {
                let state = unsafe lists.live[index]
                if unsafe state.pointee.guarded.withLock({ $0.callingThread != nil }) {
                    found.expiring += 1
                } else if unsafe state.pointee.flags.load(ordering: .acquiring) & HandlerRun.Flags.completed != 0 {
                    found.completed += 1
                }
            }
            return found
        }
    }

    /// The last reference was released.
    func recycle(_ state: UnsafeMutablePointer<HandlerRun>) {
        if unsafe !state.pointee.secrets.isEmpty {
            unsafe Descriptor.closeLent(state.pointee.secrets)
            unsafe (state.pointee.secrets, state.pointee.secretNames) = ([], [])
        }
        nonisolated(unsafe) var kept: AnyObject?
        unsafe state.pointee.guarded.withLock { guarded in
            unsafe kept = guarded.keepsAlive
            guarded = HandlerRun.Guarded()
        }
        unsafe withExtendedLifetime(kept) {
            lists.withLock { lists in
                if let position = unsafe lists.live.lastIndex(of: state) {
                    unsafe lists.live.swapAt(position, lists.live.count - 1)
                    unsafe lists.live.removeLast()
                }
                unsafe lists.free.append(state)
            }
        }
    }
}
