import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing

/// Each wrapper under a kernel that interrupts it, does half of what it was asked for, or has no room.
@Suite("A kernel that is played")
struct PlayedKernelTests {
    /// What becomes of a wrapper when one of its calls fails.
    private enum Answer: Sendable {
        /// The same as without.
        case same
        /// A thrown error with the same code.
        case told
        /// Another result; it says itself what is missing.
        case other(String)
    }

    private struct Row: Sendable {
        var wrapper: String
        var answers: [(call: String, codes: [Int32], answer: Answer)]
        var body: @Sendable (TestSupport.Folder) throws -> String
    }

    /// 0: the call does half of what it was asked for.
    private static let short: Int32 = 0

    private static let rows = bytes + names + events

    private static let bytes = [
        Row(
            wrapper: "FileSystem.read",
            answers: [
                ("read", [EINTR, short], .same), ("read", [EIO, ENOMEM], .told), ("openat", [EINTR], .same),
                ("openat", [EMFILE, ENFILE, ENOMEM, EIO], .told), ("fstat", [ENOMEM, EIO], .told),
            ]
        ) { folder in
            let file = try Descriptor.open(folder.file("text").path, .O_RDONLY)
            return "\(try FileSystem.read(file, limit: 1 << 20, naming: "text").hashValue)"
        },
        Row(
            wrapper: "FileSystem.write",
            answers: [("write", [EINTR, short], .same), ("write", [ENOSPC, EDQUOT, EIO], .told)]
        ) { folder in
            let path = folder.file("written").path
            let file = try Descriptor.open(path, [.O_WRONLY, .O_CREAT, .O_TRUNC], mode: 0o600)
            try FileSystem.write(Array(repeating: 7, count: 5000), to: file, naming: path)
            return "\(try FileSystem.facts(ofPath: path).size)"
        },
        Row(
            wrapper: "FileText.read", answers: [("read", [EINTR, short], .same), ("read", [EIO], .told)]
        ) { folder in try FileText.read(folder.file("text").path) },
        Row(
            wrapper: "FileText.withStart",
            answers: [("pread", [EINTR], .same), ("pread", [EIO, ENODEV], .other("nil"))]
        ) { folder in
            let file = try Descriptor.open(folder.file("text").path, .O_RDONLY)
            return FileText.withStart(of: file.number) { "\($0.count)" } ?? "nil"
        },
        Row(
            wrapper: "FileDigest.sha256",
            answers: [("pread", [EINTR, short], .same), ("pread", [EIO], .told)]
        ) { folder in
            let file = try Descriptor.open(folder.file("text").path, .O_RDONLY)
            return FileDigest.text(try FileDigest.sha256(of: file.number))
        },
        Row(
            wrapper: "Descriptor.sync",
            answers: [("fsync", [EINTR], .same), ("fsync", [EIO, ENOSPC, EDQUOT], .told)]
        ) { folder in
            try Descriptor.open(folder.file("text").path, .O_RDWR).sync()
            return ""
        },
        Row(
            wrapper: "Descriptor.setLength",
            answers: [("ftruncate", [EINTR], .same), ("ftruncate", [EIO, ENOSPC], .told)]
        ) { folder in
            try Descriptor.open(folder.file("text").path, .O_RDWR).setLength(6000)
            return ""
        },
    ]

    private static let names = [
        Row(
            wrapper: "FileSystem.names(in: path)",
            answers: [("openat", [EMFILE, ENOMEM], .told), ("readdir", [EIO], .told)]
        ) { folder in "\(try FileSystem.names(in: folder.file("many").path))" },
        Row(
            wrapper: "FileSystem.names(in: descriptor)",
            answers: [
                ("openat", [EINTR], .same), ("openat", [EMFILE], .told),
                ("fdopendir", [ENOMEM], .told), ("readdir", [EIO], .told),
            ]
        ) { folder in
            let place = try Linux.Folder.open(folder.file("many").path)
            return "\(try FileSystem.names(in: place, naming: "many").sorted())"
        },
        Row(
            wrapper: "FileSystem.makeFolder",
            answers: [
                ("mkdirat", [ENOSPC, EDQUOT, EROFS], .told), ("openat", [EINTR], .same),
                ("openat", [EMFILE, ENOMEM], .told), ("fchmodat", [EIO], .told), ("fstat", [EIO], .told),
            ]
        ) { folder in
            let place = try Linux.Folder.open(folder.path)
            let made = try FileSystem.makeFolder(at: place, "made", mode: 0o711, naming: "made")
            return String(try FileSystem.facts(of: made).mode, radix: 8)
        },
        Row(
            wrapper: "FileSystem.makeFile",
            answers: [
                ("openat", [EINTR], .same), ("openat", [EMFILE, ENOSPC, EROFS], .told), ("fstat", [EIO], .told),
            ]
        ) { folder in
            let place = try Linux.Folder.open(folder.path)
            let made = try FileSystem.makeFile(at: place, "file", mode: 0o600, naming: "file")
            return "\(try FileSystem.facts(of: made).isFile)"
        },
        Row(
            wrapper: "FileSystem.makeFolders",
            answers: [("mkdir", [ENOSPC, EACCES], .told), ("mkdir", [EROFS, EEXIST], .same)]
        ) { folder in
            try FileSystem.makeFolders(folder.file("many/a").path, mode: 0o755)
            return ""
        },
        Row(
            wrapper: "FileSystem.removeTree",
            answers: [
                ("openat", [EINTR], .same), ("openat", [EMFILE], .told), ("unlinkat", [EIO, EROFS], .told),
                ("rmdir", [EBUSY], .told), ("duplicate", [EMFILE], .told), ("fdopendir", [ENOMEM], .told),
                ("fchmodat", [EPERM], .same), ("readdir", [EIO], .told),
            ]
        ) { folder in
            try FileManager.default.createDirectory(
                at: folder.file("tree/inner"), withIntermediateDirectories: true)
            try FileSystem.removeTree(folder.file("tree").path)
            return "\(FileSystem.allows(.exists, to: folder.file("tree").path))"
        },
        Row(
            wrapper: "FileSystem.space", answers: [("statvfs", [EINTR], .same), ("statvfs", [EIO], .told)]
        ) { folder in "\(try FileSystem.space(of: folder.path).total)" },
        Row(
            wrapper: "Descriptor.lockForProcess",
            answers: [("lock", [EAGAIN, EACCES], .other("false")), ("lock", [ENOLCK], .told)]
        ) { folder in
            "\(try Descriptor.open(folder.file("text").path, .O_RDWR).lockForProcess())"
        },
    ]

    private static let events = [
        Row(
            wrapper: "Descriptor.eventCounter",
            answers: [
                ("eventfd", [EMFILE, ENFILE, ENOMEM], .told), ("poll", [EINTR], .same), ("read", [EINTR], .same),
                ("write", [EINTR], .same),
            ]
        ) { _ in
            let counter = try Descriptor.eventCounter()
            counter.raise()
            counter.wait()
            return "\(counter.isReady(.readable))"
        },
        Row(
            wrapper: "Poller",
            answers: [
                ("epoll_create1", [EMFILE, ENFILE, ENOMEM], .told), ("epoll_ctl", [ENOMEM, ENOSPC], .told),
                ("epoll_pwait2", [EINTR], .other("0")), ("epoll_pwait2", [ENOSYS], .same),
                ("close", [EINTR, EIO], .same),
            ]
        ) { _ in
            let poller = try Poller()
            let counter = try Descriptor.eventCounter()
            counter.raise()
            try poller.add(counter.number, key: 7)
            defer { poller.remove(counter.number) }
            return "\(try poller.wait(until: .distantFuture, now: Clock.moment().instant))"
        },
        Row(
            wrapper: "ProcessHandle",
            answers: [
                ("pidfd_open", [EMFILE, ENODEV], .told), ("pidfd_send_signal", [EPERM], .told),
                ("pidfd_send_signal", [ESRCH], .same),
            ]
        ) { _ in
            let own = try ProcessHandle(opening: getpid())
            try own.signal(Signal(rawValue: 0))
            return "\(own.hasEnded)"
        },
        Row(
            wrapper: "DetachedThread.start", answers: [("pthread_create", [EAGAIN], .other("false"))]
        ) { _ in "\(DetachedThread.start {})" },
    ]

    private static func folder() throws -> TestSupport.Folder {
        let folder = try TestSupport.Folder()
        try folder.write("text", String(repeating: "0123456789", count: 900))
        for name in ["a", "b", "c"] { try folder.write("many/\(name)/file", name) }
        return folder
    }

    @Test(
        "is retried where it may be, and reported where not",
        .enabled(if: !Places.isSanitized, "a sanitizer's library has to be loaded first"))
    func wrappers() throws {
        guard KernelPlayer.isHere else {
            // The player stands before the C library from a program's first moment.
            let command = try Command.run(
                "/proc/self/exe", ["--testing-library", "swift-testing", "--filter", "LinuxTests.PlayedKernelTests"],
                environment: ["LD_PRELOAD": try KernelPlayer.library.get()])
            #expect(command.succeeded, "\(command.output)")
            return
        }
        for row in Self.rows {
            let clean = try row.body(Self.folder())
            for (call, codes, answer) in row.answers {
                for code in codes {
                    let folder = try Self.folder()
                    let (result, isFired) = try KernelPlayer.failing(call, code: code) { try row.body(folder) }
                    let text = "\(row.wrapper), \(call) \(code): \(result)"
                    #expect(isFired, "\(text): never called")
                    switch (answer, result) {
                    case (.same, .success(let value)): #expect(value == clean, "\(text)")
                    case (.other(let expected), .success(let value)): #expect(value == expected, "\(text)")
                    case (.told, .failure(let error as SystemError)):
                        #expect(error.code.rawValue == code, "\(text)")
                        // What it left undone it does the next time.
                        #expect(try row.body(folder) == clean, "\(text), then again")
                    default: Issue.record("\(text)")
                    }
                }
            }
        }
    }

    @Test("traps when one of our own descriptors is no longer open")
    func traps() async throws {
        await #expect(processExitsWith: .signal(TestMachine.trapSignal)) {
            let file = try Descriptor.open("/dev/null", .O_RDONLY)
            close(file.number)
        }
        await #expect(processExitsWith: .signal(TestMachine.trapSignal)) {
            let file = try Descriptor.open("/dev/null", .O_RDONLY)
            close(file.number)
            _ = try FileSystem.facts(of: file)
        }
    }
}
