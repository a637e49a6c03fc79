import Foundation
import Glibc
import Testing

@Suite("A daemon that starts while verbs read", .plainBuild)
struct WaitingServeTests {
    private func serve(_ folder: Folder) throws -> BackgroundTool {
        try BackgroundTool(["serve", "--manifests", folder.file("m").path, "--state", folder.file("state").path])
    }

    /// A folder with a record.
    private func used() throws -> Folder {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        return folder
    }

    @Test("has the state folder in each of ten starts beside a loop of readers", arguments: ["device", "history"])
    func race(_ verb: String) throws {
        let folder = try used()
        let readers = try BackgroundTool(
            "/bin/sh",
            [
                "-c", "while :; do \"$0\" \(verb) --state \"$1\" >/dev/null 2>&1; done",
                try Places.taskhost.path, folder.file("state").path,
            ])
        for _ in 1...10 {
            let host = try serve(folder)
            guard host.waitFor("taskhost: serving ") else {
                Issue.record("\(host.seen)")
                break
            }
            #expect(host.end(SIGTERM) == 0)
        }
        _ = readers.end(SIGKILL)
    }

    @Test("waits for a verb that has the state folder, and says so")
    func waits() throws {
        let folder = try used()
        let reader = try BackgroundTool(
            "/usr/bin/python3",
            [
                "-c",
                """
                import fcntl, sys, time
                lock = open(sys.argv[1], 'r+')
                fcntl.lockf(lock, fcntl.LOCK_EX, 1 << 30, 0)
                print('has it', file=sys.stderr, flush=True)
                time.sleep(600)
                """, folder.file("state/lock").path,
            ])
        #expect(reader.waitFor("has it"))
        let host = try serve(folder)
        let sentence = "taskhost: waiting for a verb that has the state folder; \(folder.file("state").path): process "
        guard host.waitFor(sentence) else {
            Issue.record("\(host.seen)")
            return
        }
        // It comes first: no verb takes the folder before it.
        try folder.ask("device").expectSentence(["another host holds the state folder", "\(host.pid)"], status: 69)
        _ = reader.end(SIGKILL)
        #expect(host.waitFor("taskhost: serving "), "\(host.seen)")
        #expect(host.end(SIGTERM) == 0)
    }

    @Test(
        "does not wait until what a verb printed is read",
        arguments: ["device", "journal", "list", "describe com.example.cli", "history", "logs com.example.cli"])
    func unread(_ verb: String) throws {
        let folder = try used()
        // A pipe that is full: the verb has its answer, and cannot print it.
        let reader = try BackgroundTool(
            "/bin/sh",
            [
                "-c",
                """
                cd "$1" && mkfifo pipe && exec 3<>pipe && head -c 65536 /dev/zero >&3
                manifests=; case "$2" in list*|describe*) manifests='--manifests m' ;; esac
                exec "$0" $2 $manifests --state state --json >&3
                """, try Places.taskhost.path, folder.url.path, verb,
            ])
        while reader.isRunning, try !reader.isPrinting {}
        let host = try serve(folder)
        #expect(host.waitFor("taskhost: serving "), "\(host.seen)")
        #expect(!host.seen.contains("waiting"), "\(host.seen)")
        #expect(host.end(SIGTERM) == 0)
        #expect(reader.isRunning)
        _ = reader.end(SIGKILL)
    }
}

extension BackgroundTool {
    /// Whether it waits for a reader of its standard output; true as well where the kernel does not say.
    fileprivate var isPrinting: Bool {
        get throws {
            let path = "/proc/\(pid)/syscall"
            guard access(path, R_OK) == 0, let call = try? String(contentsOfFile: path, encoding: .utf8) else {
                return true
            }
            // write(2) on x86-64, or on ARM.
            return call.hasPrefix("1 0x1 ") || call.hasPrefix("64 0x1 ")
        }
    }
}
