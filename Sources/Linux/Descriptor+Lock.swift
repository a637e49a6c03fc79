import CLinux

/// The holder of a lock that another process wants.
package enum LockHolder: Equatable, Sendable {
    case nobody
    /// A process of another namespace, or a lock of an open file, which several processes may share.
    case unknown
    case process(Int32)
}

extension Descriptor {
    /// Takes the whole file's lock for this process, without waiting; false when another process has it. Throws when the
    /// system gives no lock, such as `ENOLCK`.
    ///
    /// It goes with the process, however that ends (fcntl(2), "Advisory record locking"). A lock of the open file would live
    /// on in a child between fork and exec, and on a busy machine that is some time after the process was killed. In return it
    /// goes as soon as this process closes any descriptor of the file, and a second lock of the same process is granted: the
    /// caller sees to both.
    package borrowing func lockForProcess() throws(SystemError) -> Bool {
        let result = clinux_lock_process(number)
        if result == -Errno.EAGAIN.rawValue || result == -Errno.EACCES.rawValue { return false }
        try check(result, "fcntl(F_SETLK)")
        return true
    }

    /// The process that prevents this one from writing `length` bytes from `start`; 0 of length: all that follow.
    package borrowing func lockHolder(start: Int64 = 0, length: Int64 = 0) -> LockHolder {
        switch clinux_lock_holder(number, start, length) {
        case 0: .nobody
        case let process where process > 0: .process(process)
        default: .unknown
        }
    }
}
