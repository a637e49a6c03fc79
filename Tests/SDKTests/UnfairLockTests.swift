import Foundation
import Testing
import os

@Suite("The unfair lock")
struct UnfairLockTests {
    /// A lock and a number, each at an address that lasts.
    private final class Guarded: @unchecked Sendable {  // the number is touched under the lock only
        let lock = os_unfair_lock_t.allocate(capacity: 1)
        var number = 0
        init() { lock.initialize(to: os_unfair_lock()) }
        deinit { lock.deallocate() }
    }

    @Test("lets one thread in at a time, and leaves no waiter behind")
    func exclusion() {
        let guarded = Guarded()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for turn in 0..<50_000 {
                if thread == 0, turn % 2 == 0 {
                    while !os_unfair_lock_trylock(guarded.lock) { sched_yield() }
                } else {
                    os_unfair_lock_lock(guarded.lock)
                }
                os_unfair_lock_assert_owner(guarded.lock)
                guarded.number += 1
                if turn % 5_000 == 0 { usleep(100) }  // others fall asleep over it
                os_unfair_lock_unlock(guarded.lock)
            }
        }
        #expect(guarded.number == 400_000)
        #expect(guarded.lock.pointee._os_unfair_lock_opaque == 0)
    }

    @Test("is refused, and not its holder's, on another thread")
    func holder() async {
        let guarded = Guarded()
        let isTaken = DispatchSemaphore(value: 0)
        let isSeen = DispatchSemaphore(value: 0)
        await withCheckedContinuation { done in
            Thread {
                os_unfair_lock_lock(guarded.lock)
                isTaken.signal()
                isSeen.wait()
                os_unfair_lock_unlock(guarded.lock)
                done.resume()
            }.start()
            isTaken.wait()
            #expect(!os_unfair_lock_trylock(guarded.lock))
            os_unfair_lock_assert_not_owner(guarded.lock)
            isSeen.signal()
        }
        #expect(guarded.lock.pointee._os_unfair_lock_opaque == 0)
    }

    @Test("ends the process when it is locked twice, or unlocked by who does not hold it")
    func misuse() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            var lock = os_unfair_lock()
            Self.twice(&lock)
        }
        await #expect(processExitsWith: .signal(SIGABRT)) {
            var lock = os_unfair_lock_s()
            Self.unlock(&lock)
        }
    }

    private static func twice(_ lock: os_unfair_lock_t) {
        os_unfair_lock_lock(lock)
        os_unfair_lock_lock(lock)
    }

    private static func unlock(_ lock: os_unfair_lock_t) { os_unfair_lock_unlock(lock) }
}
