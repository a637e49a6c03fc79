import Glibc

// An event counter (eventfd(2)): raised from any thread, waited for by one.
extension Descriptor {
    package func raise() {
        var one: UInt64 = 1
        // Full is raised as well.
        _ = Glibc.write(number, &one, 8)
    }

    package func clear() {
        var count: UInt64 = 0
        _ = Glibc.read(number, &count, 8)
    }

    /// Blocks until it is raised, and clears it.
    package func wait() {
        var place = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        while poll(&place, 1, -1) < 0 && errno == EINTR {}
        clear()
    }
}
