import Foundation

/// A lock on a file that the application's processes share (flock(2)).
package enum BoundedLock {
    /// Waits two seconds at most: a process that is frozen with the lock must not hold up this one.
    /// - Parameter descriptor: of the file. Closing it gives the lock back.
    /// - Returns: whether it has the lock.
    package static func take(_ descriptor: Int32) -> Bool {
        for pause in pauses {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK || errno == EINTR else { return false }
            usleep(pause)
        }
        return false
    }

    /// Microseconds between tries.
    private static let pauses: [UInt32] =
        [250, 500, 1000, 2000, 4000, 8000, 16000] + Array(repeating: 32000, count: 60)
}
