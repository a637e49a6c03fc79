import CApplication
import Foundation

/// The lock behind `os_unfair_lock`: one word, 0 when it is unlocked. Misuse ends the process, as it does on iOS.
package enum UnfairLock {
    private static func trap(_ sentence: String, advice: String) -> Never {
        StandardError.write("BUG IN CLIENT OF LIBPLATFORM: \(sentence)\ntaskhost: \(advice)")
        taskhost_sdk_flush_output()
        abort()
    }

    /// Waits for the lock and takes it.
    package static func lock(_ word: UnsafeMutablePointer<UInt32>) {
        guard unsafe taskhost_sdk_unfair_lock(word) else {
            trap(
                "Trying to recursively lock an os_unfair_lock",
                advice: "this thread holds it already; use NSRecursiveLock where that is meant")
        }
    }

    /// Takes the lock unless a thread holds it.
    package static func tryLock(_ word: UnsafeMutablePointer<UInt32>) -> Bool { unsafe taskhost_sdk_unfair_try(word) }

    /// Gives the lock back.
    package static func unlock(_ word: UnsafeMutablePointer<UInt32>) {
        guard unsafe taskhost_sdk_unfair_unlock(word) else {
            trap(
                "Unlock of an os_unfair_lock not owned by current thread",
                advice: "unlock it on the thread that locked it, once")
        }
    }

    /// Ends the process unless the lock is, or is not, the calling thread's.
    package static func assert(_ word: UnsafePointer<UInt32>, isMine: Bool) {
        guard unsafe taskhost_sdk_unfair_is_mine(word) == isMine else {
            trap(
                "Assertion failed: Lock unexpectedly \(isMine ? "not " : "")owned by current thread",
                advice: "lock it, and unlock it, on the thread that asks")
        }
    }
}
