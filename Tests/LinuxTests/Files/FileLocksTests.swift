import Foundation
import Linux
import TestSupport
import Testing
import Workers

@Suite("Locks on files")
struct FileLocksTests {
    /// A process that has a lock on what the path names.
    private static let holder = """
        import fcntl, os, sys, time
        if len(sys.argv) > 3: os.setgid(int(sys.argv[3])); os.setuid(int(sys.argv[3]))
        file = os.open(sys.argv[1], os.O_RDONLY if sys.argv[2] == 'flock' else os.O_RDWR)
        if sys.argv[2] == 'flock': fcntl.flock(file, fcntl.LOCK_EX)
        else: fcntl.lockf(file, fcntl.LOCK_EX)
        print('has it', flush=True)
        time.sleep(600)
        """

    private func hold(_ path: String, _ kind: String) throws -> Program {
        let program = try Program("python3", ["-c", Self.holder, path, kind])
        try program.wait(forText: "has it")
        return program
    }

    @Test(
        "are an application's own in its folders, on them, and by whatever path these are reached",
        arguments: ["flock", "posix"])
    func own(_ kind: String) throws {
        let folder = try Folder()
        try folder.write("real/inner/file", "")
        let link = folder.file("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file("real").path)
        var paths = [folder.file("real/inner/file").path]
        if kind == "flock" { paths.append(folder.file("real").path) }
        for path in paths {
            let holder = try hold(path, kind)
            for own in [folder.file("real").path, link] {
                #expect(!FileLocks.areHeld(by: [holder.pid], outside: [own]), "\(path) \(own)")
            }
            #expect(FileLocks.areHeld(by: [holder.pid], outside: [folder.file("other").path]), "\(path)")
            #expect(FileLocks.areHeld(by: [holder.pid], outside: [folder.file("real/inner/none").path]), "\(path)")
            #expect(!FileLocks.areHeld(by: [], outside: []))
        }
    }

    @Test("are read from a line of the kernel's table")
    func lines() {
        let line = "2: POSIX  ADVISORY  WRITE 9191 fe:00:16343379 1073741826 1073742335"
        #expect(FileLock(line)?.process == 9191 && FileLock(line)?.inode == 16_343_379)
        #expect(FileLock("1: FLOCK  ADVISORY  READ  12 00:2f:5352542 0 EOF")?.inode == 5_352_542)
        for other in [
            "1: LEASE  ACTIVE    READ  12 fe:00:3 0 EOF", "2: -> POSIX  ADVISORY  WRITE 9191 fe:00:3 0 EOF",
            "3: OFDLCK ADVISORY  WRITE -1 fe:00:3 0 EOF", "4: POSIX  ADVISORY  WRITE 0 fe:00:3 0 EOF", "5: POSIX", "",
        ] {
            #expect(FileLock(other) == nil, "\(other)")
        }
    }
}
