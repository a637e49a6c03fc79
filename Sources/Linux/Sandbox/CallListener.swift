import CLinux
import Glibc

/// The system calls of other processes that this one is told of, where their filter says so (seccomp_unotify(2)). Each waits until it is
/// answered; without this process the calls fail with ENOSYS.
///
/// It is observation, never a decision: what a pointer leads to may change before the kernel reads it. *Thread*: the owner's only one.
package final class CallListener {
    let descriptor: Descriptor

    package init(adopting descriptor: consuming Descriptor) {
        self.descriptor = descriptor
        clinux_notices_hurry(self.descriptor.number)
    }

    /// Installs a filter in this process, which has one thread, and in what it starts from then on.
    ///
    /// - Parameter filter: in the layout of `struct sock_filter`.
    /// - Returns: their calls, for a process that is not under it. `EBUSY`: a manager of this container is told of them already.
    package static func install(filter: [UInt64]) throws(SystemError) -> Descriptor {
        Descriptor(adopting: try unsafe check(clinux_listen(filter, UInt32(filter.count)), "seccomp"))
    }

    /// Waits for the next call; nil: no process is watched any more.
    package func next() -> SystemCallNotice? {
        while true {
            var wait = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wait, 1, -1) > 0 else { continue }
            guard wait.revents & Int16(POLLIN) != 0 else { return nil }
            if let notice = receive() { return notice }
        }
    }

    /// nil: its process was killed meanwhile.
    func receive() -> SystemCallNotice? {
        var raw = clinux_notice_t()
        guard unsafe clinux_notice_receive(descriptor.number, &raw) >= 0 else { return nil }
        let words = raw.arguments
        return SystemCallNotice(
            id: raw.id, thread: raw.thread, number: raw.number,
            arguments: [words.0, words.1, words.2, words.3, words.4, words.5])
    }

    /// Whether the call still waits: then what was read of its process belongs to it.
    package func isWaiting(_ notice: SystemCallNotice) -> Bool {
        clinux_notice_is_waiting(descriptor.number, notice.id) == 1
    }

    /// Has the kernel do the call.
    package func permit(_ notice: SystemCallNotice) {
        _ = clinux_notice_continue(descriptor.number, notice.id)
    }

    package func refuse(_ notice: SystemCallNotice, _ code: Errno) {
        _ = clinux_notice_refuse(descriptor.number, notice.id, code.rawValue)
    }

    /// The call succeeds with this value.
    package func answer(_ notice: SystemCallNotice, _ value: Int64) {
        _ = clinux_notice_answer(descriptor.number, notice.id, value)
    }

    /// Gives the calling process a copy of a descriptor.
    ///
    /// - Parameters:
    ///   - number: lent.
    ///   - target: the number that it gets, in place of what it has there; nil: any.
    /// - Returns: its number there; nil: the process is gone, or has no number left.
    package func give(
        _ number: Int32, as target: Int32?, closesOnExec: Bool, to notice: SystemCallNotice
    ) -> Int32? {
        let given = clinux_notice_give(descriptor.number, notice.id, number, target ?? -1, closesOnExec ? 1 : 0)
        return given < 0 ? nil : given
    }
}
