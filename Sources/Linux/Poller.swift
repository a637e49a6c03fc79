import CLinux
package import TaskModel

/// What became ready: the key that was given with the descriptor, and the epoll bits.
package struct ReadySource: Sendable, BitwiseCopyable {
    package var key: UInt64
    package var events: UInt32

    package var isReadable: Bool { events & (CLINUX_IN | CLINUX_HUP | CLINUX_ERR) != 0 }
    package var isWritable: Bool { events & CLINUX_OUT != 0 }
    package var hasError: Bool { events & CLINUX_ERR != 0 }
}

/// Waits for descriptors and deadlines (epoll, level-triggered). One thread only.
@safe package final class Poller {
    /// Most sources that one wait reports; the others follow at the next.
    package static let capacity = 128

    private let descriptor: Descriptor
    /// Readable when a source is ready, for another poller.
    package var number: Int32 { descriptor.number }
    private let events = UnsafeMutablePointer<clinux_event_t>.allocate(capacity: capacity)
    /// Present interest by descriptor, so that restating it costs no system call.
    private var interest: [Int32: UInt32] = [:]

    package init() throws(SystemError) {
        descriptor = Descriptor(adopting: try check(clinux_epoll_create(), "epoll_create1"))
    }

    deinit { unsafe events.deallocate() }

    /// - Parameter urgent: for files that announce changes as POLLPRI (cgroup.events).
    package func add(_ fd: Int32, key: UInt64, urgent: Bool = false) throws(SystemError) {
        let bits = urgent ? CLINUX_PRI : CLINUX_IN
        try check(clinux_epoll_add(descriptor.number, fd, bits, key), "epoll_ctl")
        interest[fd] = bits
    }

    /// Reports only the end of `fd`: of both directions, or also of the other side's data.
    package func addHangUp(_ fd: Int32, key: UInt64, halfClosed: Bool) throws(SystemError) {
        let bits = halfClosed ? CLINUX_RDHUP : 0
        try check(clinux_epoll_add(descriptor.number, fd, bits, key), "epoll_ctl")
        interest[fd] = bits
    }

    /// Also (or no longer) wait until `fd` takes more.
    package func setWritable(_ fd: Int32, _ on: Bool, key: UInt64) {
        guard let bits = interest[fd] else { return }
        let wanted = on ? bits | CLINUX_OUT : bits & ~CLINUX_OUT
        guard wanted != bits, clinux_epoll_modify(descriptor.number, fd, wanted, key) == 0 else { return }
        interest[fd] = wanted
    }

    /// Whether readiness to read is reported; on after `add`.
    package func setReadable(_ fd: Int32, _ on: Bool, key: UInt64) {
        guard let bits = interest[fd] else { return }
        let wanted = on ? bits | CLINUX_IN : bits & ~CLINUX_IN
        guard wanted != bits, clinux_epoll_modify(descriptor.number, fd, wanted, key) == 0 else { return }
        interest[fd] = wanted
    }

    /// Waits for just this of `fd`, whether it was added before or not.
    package func setInterest(_ fd: Int32, reads: Bool, writes: Bool, key: UInt64) throws(SystemError) {
        let wanted = (reads ? CLINUX_IN : 0) | (writes ? CLINUX_OUT : 0)
        guard let bits = interest[fd] else {
            try check(clinux_epoll_add(descriptor.number, fd, wanted, key), "epoll_ctl")
            interest[fd] = wanted
            return
        }
        guard wanted != bits, clinux_epoll_modify(descriptor.number, fd, wanted, key) == 0 else { return }
        interest[fd] = wanted
    }

    /// Call before the descriptor is closed.
    package func remove(_ fd: Int32) {
        guard interest.removeValue(forKey: fd) != nil else { return }
        if clinux_epoll_remove(descriptor.number, fd) == -Errno.EBADF.rawValue { Descriptor.isNotOpen("epoll_ctl") }
    }

    /// The same of a descriptor that a library owns, which may have closed it already.
    package func remove(lent fd: Int32) {
        if interest.removeValue(forKey: fd) != nil { _ = clinux_epoll_remove(descriptor.number, fd) }
    }

    /// Waits until something is ready, or until `deadline`; nil waits without end. Returns how many sources are ready.
    package func wait(until deadline: Instant?, now: Instant) throws(SystemError) -> Int {
        let timeout = deadline.map { $0 == .distantFuture ? -1 : ($0 - now).nanoseconds } ?? -1
        return unsafe Int(
            try check(
                clinux_epoll_wait(descriptor.number, events, Int32(Self.capacity), timeout), "epoll_pwait2"))
    }

    /// The sources of the last wait.
    package subscript(index: Int) -> ReadySource {
        unsafe ReadySource(key: events[index].key, events: events[index].events)
    }
}
