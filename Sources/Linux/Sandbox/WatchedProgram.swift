import CLinux
import Glibc
package import TaskModel

/// A descriptor that something is awaited of; lent.
package struct Awaited {
    package var number: Int32
    /// That it can be written, instead of that it can be read.
    package var isWritten: Bool

    package init(number: Int32, isWritten: Bool) { (self.number, self.isWritten) = (number, isWritten) }
}

/// A program that this process has started, and whose system calls it is told of where the program's filter says so, with those of
/// all processes below it (`CallListener`). *Thread*: for a process with one.
package final class WatchedProgram {
    package let pid: Int32
    private let handle: ProcessHandle
    /// Its calls, and those of the processes below it.
    package let calls: CallListener

    /// Starts it with this process's descriptors and folder, and no_new_privs. Its `execve` is the first call that the filter tells
    /// of; when that fails, the program exits with 127 where there is none, else with 126.
    ///
    /// - Parameters:
    ///   - words: the path of the program, and its arguments.
    ///   - environment: `NAME=value`.
    ///   - filter: in the layout of `struct sock_filter`.
    ///   - rules: of Landlock; lent. nil: it may reach every file of its user.
    package init(
        _ words: [String], environment: [String], filter: [UInt64], rules: Int32? = nil
    ) throws(SystemError) {
        let texts = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (texts + variables).forEach { unsafe free($0) } }
        var (listener, handle) = (Int32(-1), Int32(-1))
        pid = try unsafe check(
            clinux_watched_spawn(
                words[0], texts, variables, filter, UInt32(filter.count), rules ?? -1, &listener, &handle), "seccomp",
            words[0])
        self.handle = ProcessHandle(adopting: Descriptor(adopting: handle))
        calls = CallListener(adopting: Descriptor(adopting: listener))
    }

    /// What there is to do.
    package enum Event {
        case call(SystemCallNotice)
        /// It has ended; processes that it left may go on.
        case ended
        /// No process is watched any more.
        case unwatched
        /// The time is over.
        case timeout
    }

    /// Waits for the next event.
    ///
    /// - Parameters:
    ///   - hasEnded: its end is known, and no event any more.
    ///   - limit: nil: for ever.
    package func next(hasEnded: Bool, within limit: TimeSpan?) -> Event {
        next(hasEnded: hasEnded, within: limit, others: []) ?? .timeout
    }

    /// The same beside other descriptors.
    ///
    /// - Returns: nil: something happened to one of them.
    package func next(hasEnded: Bool, within limit: TimeSpan?, others: [Awaited]) -> Event? {
        while true {
            var waits = [
                pollfd(fd: calls.descriptor.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hasEnded ? -1 : handle.descriptor.number, events: Int16(POLLIN), revents: 0),
            ]
            waits += others.map {
                pollfd(fd: $0.number, events: Int16($0.isWritten ? POLLOUT : POLLIN), revents: 0)
            }
            let count = unsafe poll(
                &waits, nfds_t(waits.count), limit.map { Int32(clamping: $0.nanoseconds / 1_000_000) } ?? -1)
            if count == 0 { return .timeout }
            guard count > 0 else { continue }
            // First: others may ask without a pause.
            if waits[1].revents != 0 {
                return .ended
            } else if waits[0].revents & Int16(POLLIN) != 0 {
                if let notice = calls.receive() { return .call(notice) }
            } else if waits[0].revents != 0 {
                return .unwatched
            } else if waits.dropFirst(2).contains(where: { $0.revents != 0 }) {
                return nil
            }
        }
    }

    package func wait() -> ProcessEnd? {
        var end = clinux_exit_t()
        return unsafe clinux_wait(pid, &end) < 0 ? nil : ProcessEnd(end)
    }
}
