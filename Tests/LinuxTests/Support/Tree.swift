import Glibc
import TestSupport
import Testing
import Workers

/// A process tree of shell scripts that leads its own session, placed as a worker is.
final class Tree {
    let pid: Int32
    private let output: Int32
    private var isReaped = false

    /// Starts `/bin/sh -c script`, which writes itself into the group's folders first; its output comes to `line()`.
    init(_ script: String, in group: ControlGroup) throws {
        var placements = group.placementDescriptors
        if let member = try group.membershipDescriptor() { placements.append(member) }
        let enter = placements.indices.map { "echo 0 >&\(3 + $0); exec \(3 + $0)>&-; " }.joined()
        var ends: [Int32] = [-1, -1]
        // A socket pair, for it can be made close-on-exec at once: tests run side by side.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        output = ends[0]
        pid = try Self.spawn(enter + script, output: ends[1], placements)
        close(ends[1])
        group.adopt(pid: pid)
    }

    deinit {
        // The group's owner sees to the tree; here the leader is only reaped.
        Glibc.kill(pid, SIGKILL)
        _ = end()
        close(output)
    }

    private static func spawn(_ script: String, output: Int32, _ placements: [Int32]) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Threads of the test runner block signals, and a shell that inherits that waits for SIGCHLD without end.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which Glibc's module hides
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | newSession)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        // Sources move out of the way of the targets first.
        let sources = placements.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for source in sources { close(source) } }
        for (index, source) in sources.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, source, Int32(3 + index))
        }
        let arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", script].map { (text: String) in strdup(text) }
        defer { for argument in arguments { free(argument) } }
        var pid: Int32 = -1
        try #require(posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments + [nil], environ) == 0)
        return pid
    }

    /// The next line of output; nil at its end or when none comes.
    func line() -> String? {
        var bytes: [UInt8] = []
        var patience = Patience()
        while bytes.count < 4096 {
            var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            var byte: UInt8 = 0
            guard patience.poll(&request), read(output, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Waits for the leader's end: the signal that ended it, or minus its exit status.
    func end() -> Int32 {
        guard !isReaped else { return .min }
        isReaped = true
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7f
        return signal != 0 ? signal : -((status >> 8) & 0xff)
    }
}
