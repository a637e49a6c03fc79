import Conditions
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

@Suite("Under systemd")
struct SystemdTests {
    /// A socket bound to a path in the folder `/tmp`-like `path`.
    private static func bind(_ path: String, _ type: __socket_type) throws -> Int32 {
        let number = socket(AF_UNIX, Int32(type.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard number >= 0, bound == 0 else { throw Problem("bind \(path): \(errno)") }
        return number
    }

    private static func receive(_ number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer[0..<max(0, count)], as: UTF8.self)
    }

    // The environment belongs to the whole process: each of these has its own process.

    @Test("systemd learns about start, state, reload and stop, and the watchdog is fed at half its period")
    func notifications() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let path = folder.path + "/n"
            let listener = try SystemdTests.bind(path, SOCK_DGRAM)
            setenv("NOTIFY_SOCKET", path, 1)
            setenv("WATCHDOG_USEC", "400000", 1)
            setenv("WATCHDOG_PID", "\(getpid())", 1)
            let notifier = SystemdNotifier()
            #expect(notifier.period == .milliseconds(200))
            let loop = try TestLoop(notifier)
            notifier.ready(status: "3 applications\nREADY=0")
            #expect(SystemdTests.receive(listener) == "READY=1\nSTATUS=3 applications READY=0")
            notifier.status("busy")
            #expect(SystemdTests.receive(listener) == "STATUS=busy")
            notifier.reloading()
            #expect(SystemdTests.receive(listener).hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
            notifier.stopping(status: "stopping")
            #expect(SystemdTests.receive(listener) == "STOPPING=1\nSTATUS=stopping")
            let start = Clock.moment().instant
            var fed = 0
            try loop.run {
                while SystemdTests.receive(listener) == "WATCHDOG=1" { fed += 1 }
                return fed >= 4
            }
            // At the start, and each 200 ms from then on; nothing else wakes it.
            #expect(Clock.moment().instant - start >= .milliseconds(600))
            #expect(loop.turns <= 8)
        }
    }

    @Test("Without systemd no notice is sent and nothing is due")
    func alone() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            unsetenv("WATCHDOG_USEC")
            let notifier = SystemdNotifier()
            _ = try TestLoop(notifier)
            notifier.ready(status: "")
            #expect(notifier.period == nil)
            #expect(notifier.nextDeadline == .distantFuture)
            #expect(ActivatedListener.takeAll().isEmpty)
        }
    }

    @Test("Sockets that systemd opened are taken over, made non-blocking; what does not listen is closed")
    func activation() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let listener = try SystemdTests.bind(folder.path + "/l", SOCK_STREAM)
            let other = try SystemdTests.bind(folder.path + "/d", SOCK_DGRAM)
            guard listen(listener, 5) == 0 else { throw Problem("listen") }
            // The test's own channels may be there: they come back.
            let saved = (0..<2).map { fcntl(Int32(3 + $0), F_DUPFD, 100) }
            let sources = [fcntl(listener, F_DUPFD, 200), fcntl(other, F_DUPFD, 200)]
            dup2(sources[0], 3)
            dup2(sources[1], 4)
            setenv("LISTEN_PID", "\(getpid())", 1)
            setenv("LISTEN_FDS", "2", 1)
            setenv("LISTEN_FDNAMES", "control:other", 1)
            let found = ActivatedListener.takeAll()
            let flags = fcntl(3, F_GETFL)
            let descriptorFlags = fcntl(3, F_GETFD)
            let isOtherOpen = fcntl(4, F_GETFD) >= 0
            let again = ActivatedListener.takeAll()
            for (index, number) in saved.enumerated() where number >= 0 { dup2(number, Int32(3 + index)) }
            #expect(found == [ActivatedListener(name: "control", descriptor: 3, isUnix: true)])
            #expect(flags & O_NONBLOCK != 0)
            #expect(descriptorFlags & FD_CLOEXEC != 0)
            #expect(!isOtherOpen)
            #expect(again.isEmpty)
        }
    }
}
