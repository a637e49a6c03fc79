import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Wire
import Workers

/// A process tree of shell scripts that leads its own session, placed as a worker is.
final class Tree {
    let pid: Int32
    private let output: Int32
    private var isReaped = false
    /// In tier `none`: what its keeper says.
    private let keeper: Descriptor?

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
        defer { close(ends[1]) }
        guard group.tier == .none else {
            keeper = nil
            pid = try Self.spawn("/bin/sh", ["-c", enter + script], output: ends[1], placements)
            group.adopt(pid: pid, tree: nil)
            return
        }
        var lifeline = try DescriptorPair.sockets()
        let near = lifeline.takeNear()
        let far = lifeline.takeFar()
        _ = try Self.spawn(Self.probe, ["--keep", script], output: ends[1], [far.number])
        _ = consume far
        var handle: Descriptor?
        let launch = try Self.hear(from: near.number) {
            handle = consume $0
        } as: { (reader) throws(WireError) in
            try LaunchReport(from: &reader)
        }
        pid = launch.pid
        group.adopt(pid: pid, tree: ProcessTree(leader: pid, keeper: launch.keeper, handle.take()))
        keeper = consume near
    }

    /// It is beside the test bundle.
    private static var probe: String { get throws { try Places.products.appending(path: "confinement-probe").path } }

    private static func hear<Body>(
        from keeper: Int32, taking: (consuming Descriptor) -> Void = { _ in },
        as read: (inout FrameReader) throws(WireError) -> Body
    ) throws -> Body {
        var room = [UInt8](repeating: 0, count: 4096)
        let length = try room.withUnsafeMutableBytes {
            try MessageSocket(lent: keeper).receive(into: $0, waits: true, taking)
        }
        guard length > 0 else { throw Problem("the keeper has ended") }
        return try room.withUnsafeBytes { bytes in
            var reader = FrameReader(body: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
            return try read(&reader)
        }
    }

    deinit {
        // The group's owner sees to the tree, or its keeper; here the leader is only reaped.
        Glibc.kill(pid, SIGKILL)
        _ = end()
        close(output)
    }

    /// - Parameter descriptors: become 3 and so on.
    private static func spawn(
        _ program: String, _ arguments: [String], output: Int32, _ descriptors: [Int32]
    ) throws -> Int32 {
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
        let sources = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for source in sources { close(source) } }
        for (index, source) in sources.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, source, Int32(3 + index))
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(3 + sources.count))
        let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { (text: String) in strdup(text) }
        defer { for word in words { free(word) } }
        var pid: Int32 = -1
        try #require(posix_spawn(&pid, program, &actions, &attributes, words + [nil], environ) == 0)
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
        if keeper != nil { return endOfKept() }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7f
        return signal != 0 ? signal : -((status >> 8) & 0xff)
    }

    private func endOfKept() -> Int32 {
        guard let number = keeper.number,
            let report = try? Self.hear(
                from: number, as: { (reader) throws(WireError) in try ExitReport(from: &reader) })
        else { return .min }
        return report.signal != 0 ? report.signal : -report.status
    }
}
