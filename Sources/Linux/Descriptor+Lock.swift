import Glibc

/// The holder of a lock that another process wants.
package enum LockHolder: Equatable, Sendable {
    case nobody
    /// A process of another namespace, or a lock of an open file, which several processes may share.
    case unknown
    case process(Int32)
}

extension Descriptor {
    /// Takes the lock of `length` bytes from `start` for this process, without waiting; false when another process has it.
    /// Throws when the system gives no lock, such as `ENOLCK`. 0 of length: all that follow.
    ///
    /// It goes with the process, however that ends (fcntl(2), "Advisory record locking"). A lock of the open file would live
    /// on in a child between fork and exec, and on a busy machine that is some time after the process was killed. In return it
    /// goes as soon as this process closes any descriptor of the file, and a second lock of the same process is granted: the
    /// caller sees to both.
    package borrowing func lockForProcess(start: Int64 = 0, length: Int64 = 0) throws(SystemError) -> Bool {
        var lock = Self.writeLock()
        (lock.l_start, lock.l_len) = (off_t(start), off_t(length))
        do throws(SystemError) {
            _ = try Self.count("fcntl(F_SETLK)") { unsafe Int(fcntl(number, F_SETLK, &lock)) }
            return true
        } catch {
            guard error.code == .EAGAIN || error.code == .EACCES else { throw error }
            return false
        }
    }

    /// The process that prevents this one from writing `length` bytes from `start`; 0 of length: all that follow.
    package borrowing func lockHolder(start: Int64 = 0, length: Int64 = 0) -> LockHolder {
        var lock = Self.writeLock()
        (lock.l_start, lock.l_len) = (off_t(start), off_t(length))
        guard unsafe fcntl(number, F_GETLK, &lock) >= 0, lock.l_type != F_UNLCK else { return .nobody }
        return lock.l_pid > 0 ? .process(lock.l_pid) : .unknown
    }

    private static func writeLock() -> flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        return lock
    }
}
