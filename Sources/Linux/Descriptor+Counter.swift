import Glibc

// An event counter (eventfd(2)): raised from any thread, waited for by one.
extension Descriptor {
    package func raise() {
        var one: UInt64 = 1
        // Full is raised as well.
        while unsafe Glibc.write(number, &one, 8) < 0 && errno != EAGAIN { Self.retry("write") }
    }

    package func clear() {
        var count: UInt64 = 0
        // A counter that was not raised is clear.
        while unsafe Glibc.read(number, &count, 8) < 0 && errno != EAGAIN { Self.retry("read") }
    }

    /// After an error: only an interruption goes by.
    private static func retry(_ call: String) {
        if errno == EBADF { isNotOpen(call) }
        precondition(errno == EINTR, "an event counter takes and gives eight bytes (eventfd(2))")
    }

    /// Blocks until it is raised, and clears it.
    package func wait() {
        var place = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&place, 1, -1) < 0 && errno == EINTR {}
        clear()
    }
}
