import CLinux
import Glibc
import Linux

/// One life of `taskhost-transfer`.
final class TransferChild {
    let pid: Int32
    /// Readable once it has ended (pidfd).
    let end: Int32
    /// The conversation; -1 after `hangUp`.
    private(set) var socket: Int32
    let socketTag: UInt32
    let endTag: UInt32

    /// Starts it with a clean environment and one descriptor.
    ///
    /// - Parameter number: tells its tags from those of others.
    init(executable: String, user: UInt32, number: UInt32) throws(SystemError) {
        var pair: [Int32] = [-1, -1]
        try check(clinux_seqpacket_pair(&pair, 1 << 20), "socketpair")
        let ours = Descriptor(adopting: pair[0])
        let near = Descriptor(adopting: pair[1])
        let theirs = try near.duplicate(above: 16)
        let arguments = Self.copies(["taskhost-transfer", "\(user)"])
        let variables = Self.copies(["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"])
        defer { for text in arguments + variables { free(text) } }
        var descriptors = [theirs.number]
        let pid = try check(
            clinux_spawn(executable, arguments, variables, &descriptors, 1), "posix_spawn", executable)
        let end = clinux_pidfd_open(pid)
        guard end >= 0 else {
            _ = Glibc.kill(pid, SIGKILL)
            var exit = clinux_exit_t()
            _ = clinux_wait(pid, &exit)
            throw SystemError("pidfd_open", code: Errno(-end))
        }
        self.pid = pid
        self.end = end
        socket = ours.take()
        socketTag = number &* 2
        endTag = number &* 2 &+ 1
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }

    deinit {
        hangUp()
        Glibc.close(end)
    }

    /// It ends when it sees this.
    func hangUp() {
        if socket >= 0 { Glibc.close(socket) }
        socket = -1
    }

    func kill() { _ = clinux_pidfd_signal(end, SIGKILL) }

    /// Takes its status, once `end` is readable. Says how it ended, for people.
    func reap() -> String {
        var exit = clinux_exit_t()
        guard clinux_wait(pid, &exit) >= 0 else { return "it ended" }
        return exit.signal != 0 ? "signal \(exit.signal) ended it" : "it left with status \(exit.status)"
    }
}
